// The same things have the same names in every example, so that they can be read as one story.

export const baseUrl = "https://passes.example.com";

export const ids = {
  tenant: "0199c3a1-5c7e-7d10-8a41-3f6b2c9d0e11",
  application: "0199c3a1-8f02-7b3c-9e55-7a1d4c6b8f20",
  template: "0199c3a2-14d9-7c64-b1f7-52e8a90c3d47",
  systemTemplate: "0199c3a0-77aa-7e02-a3c5-1b9f6d8e2a30",
  pass: "0199c3b7-2e6f-7a85-9c12-6d4f8b0a1e52",
  job: "0199c3b7-2e70-7b16-8d23-7e50ac1b2f63",
  batch: "0199c3c4-90b1-7f27-a834-8f61bd2c3074",
  message: "0199c3d0-4b12-7038-b945-9072ce3d4185",
  webhook: "0199c3d9-0c43-7149-8a56-a183df4e5296",
  delivery: "0199c3da-6d54-725a-9b67-b294e05f63a7",
  event: "0199c3da-6d50-736b-ac78-c3a5f16074b8",
} as const;

export const pageToken = "Jb3vPq9XhT5mZk2WcR7sNdE";

export const instants = {
  templateMade: "2026-10-08T07:12:40.118Z",
  created: "2026-11-21T06:43:46.625Z",
  started: "2026-11-21T06:43:46.641Z",
  finished: "2026-11-21T06:43:47.902Z",
} as const;

export function pageOf(...data: readonly unknown[]) {
  return { data, total: data.length, page: 1, page_size: 20 };
}
