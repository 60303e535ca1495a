// What the API promises of one caller's passes, as maps: no queue, no wallets, no time.

export type Data = Record<string, string>;
export type Patch = Record<string, string | null>;

export type ModelVersion = { data: Data; change: "created" | "updated"; jobId: string | null };

export type ModelPass = {
  ref: string;
  /** The template now, and below the one that it was made from. */
  template: string;
  /** The one before the newest version. */
  templateBefore: string;
  madeFrom: string;
  /** null until the API has told it: passes of a batch are looked up afterwards. */
  id: string | null;
  /** Oldest first. */
  versions: ModelVersion[];
  revoked: boolean;
  /** The first 202, which a repeated creation gets again; null where a batch made the pass. */
  first: Record<string, unknown> | null;
};

/** The code of a refusal. */
export type Refusal = "invalid_request" | "not_found" | "invalid_state" | "duplicate_external_ref";
export type Verdict = "created" | "repeated" | "updated" | "revoked" | Refusal;

export type Model = ReturnType<typeof createModel>;

export function createModel() {
  const passes = new Map<string, ModelPass>();

  function add(ref: string, data: Data, template: string): Verdict {
    const versions: ModelVersion[] = [{ data, change: "created", jobId: null }];
    const pass = { ref, template, templateBefore: template, madeFrom: template };
    passes.set(ref, { ...pass, id: null, versions, revoked: false, first: null });
    return "created";
  }

  function next(pass: ModelPass | undefined, dataAfter: (data: Data) => Data): Verdict {
    if (pass === undefined) return "not_found";
    if (pass.revoked) return "invalid_state";
    const data = dataAfter(newest(pass).data);
    if (!fitsTemplate(data)) return "invalid_request";
    pass.templateBefore = pass.template;
    pass.versions.push({ data, change: "updated", jobId: null });
    return "updated";
  }

  return {
    passes,
    create(ref: string, data: Data, template: string): Verdict {
      if (!fitsTemplate(data)) return "invalid_request";
      const pass = passes.get(ref);
      if (pass === undefined) return add(ref, data, template);
      const made = pass.versions[0]?.data ?? {};
      return !pass.revoked && pass.madeFrom === template && same(made, data)
        ? "repeated"
        : "duplicate_external_ref";
    },
    put(ref: string, data: Data, template: string): Verdict {
      const pass = passes.get(ref);
      if (pass === undefined) return fitsTemplate(data) ? add(ref, data, template) : "invalid_request";
      const verdict = next(pass, () => data);
      if (verdict === "updated") pass.template = template;
      return verdict;
    },
    patch: (ref: string, patch: Patch): Verdict =>
      next(passes.get(ref), (data) => {
        const merged = Object.entries({ ...data, ...patch }).filter(([, value]) => value !== null);
        return Object.fromEntries(merged) as Data;
      }),
    revoke(ref: string): Verdict {
      const pass = passes.get(ref);
      if (pass === undefined) return "not_found";
      if (pass.revoked) return "invalid_state";
      pass.revoked = true;
      return "revoked";
    },
    /** Takes an operation back that could not be paid. */
    takeBack(ref: string): void {
      const pass = passes.get(ref);
      if (pass === undefined) return;
      pass.template = pass.templateBefore;
      pass.versions.pop();
      if (pass.versions.length === 0) passes.delete(ref);
    },
  };
}

export function newest(pass: ModelPass): ModelVersion {
  const version = pass.versions.at(-1);
  if (version === undefined) throw new Error(`${pass.ref} has no version`);
  return version;
}

/** The test's template: `name` is required, `points` has a default and at most six characters. */
export function fitsTemplate(data: Data): boolean {
  const unknown = Object.keys(data).some((key) => key !== "name" && key !== "points");
  return !unknown && data.name !== undefined && (data.points ?? "").length <= 6;
}

export function same(a: Data, b: Data): boolean {
  const sorted = (data: Data): string => JSON.stringify(Object.entries(data).sort());
  return sorted(a) === sorted(b);
}
