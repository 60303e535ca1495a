/** How Redis is, by its own account; null where it does not say. */
export type StoreHealth = {
  version: string;
  role: string;
  uptimeSeconds: number;
  usedBytes: number;
  /** 0: no limit. */
  limitBytes: number;
  clients: number;
  commandsPerSecond: number;
  replicas: number;
  /** Whether what is written is on the disk before long. */
  appendOnly: "on" | "off" | "failing";
  /** From the question to the answer. */
  roundTripMs: number;
};

export type ReadStoreHealth = () => Promise<StoreHealth>;
