import { baseUrl, ids, instants, pageOf, pageToken } from "./ids.ts";

const data = { member: "Grace Hopper", points: "10" };

export const passToCreate = {
  template_id: ids.template,
  intent: "loyalty_card",
  external_ref: "customer-4711",
  data,
};

export const dataToUpdate = { data: { points: "11" } };

const common = {
  id: ids.pass,
  external_ref: "customer-4711",
  template_id: ids.template,
  intent: "loyalty_card",
  page_url: `${baseUrl}/p/${pageToken}`,
  created_at: instants.created,
};

const queued = {
  apple: { status: "queued", updated_at: instants.created },
  google: { status: "queued", updated_at: instants.created },
};

const inBothWallets = {
  apple: {
    status: "completed",
    save_link: `${baseUrl}/p/${pageToken}/pass.pkpass`,
    updated_at: instants.started,
  },
  google: {
    status: "completed",
    save_link: "https://pay.google.com/gp/v/save/eyJhbGciOiJSUzI1NiJ9.eyJ0eXAiOiJzYXZldG93YWxsZXQifQ.c2ln",
    updated_at: instants.finished,
  },
};

export const pendingPass = {
  ...common,
  status: "pending",
  data,
  providers: queued,
  job_id: ids.job,
  version: 1,
  updated_at: instants.created,
};

export const activePass = {
  ...pendingPass,
  status: "active",
  providers: inBothWallets,
  updated_at: instants.finished,
};

export const updatingPass = {
  ...activePass,
  status: "updating",
  data: { ...data, ...dataToUpdate.data },
  version: 2,
};

export const revokingPass = { ...activePass, status: "revoking" };

export const passList = pageOf(activePass);

export const passVersions = pageOf(
  {
    version: 2,
    change: "updated",
    data: updatingPass.data,
    job_id: "0199c3bc-7f01-7c39-8e34-9f51bd2c4174",
    created_at: "2026-11-22T09:05:12.044Z",
  },
  { version: 1, change: "created", data, job_id: ids.job, created_at: instants.created },
);
