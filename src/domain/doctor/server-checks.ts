import { type Check, failed, ok, reasonOf, spanOf, unknown, warning } from "./check.ts";
import type { Installation } from "./ports.ts";
import { knownAgainst } from "./redis-releases.ts";

type ServerCheck = Check<Pick<Installation, "server">>;

const mib = 1024 * 1024;

export const reachable: ServerCheck = {
  name: "redis",
  expects: "Redis answers, and takes writes",
  async look({ server }) {
    try {
      const { product, version, role } = await server.facts();
      if (role === "master") return [ok(`${product} ${version} answers.`)];
      return [
        failed(
          `${product} answers as a ${role}, which takes no writes.`,
          "Let PASSWRIGHT_REDIS_URL name the master, or the Sentinels (redis+sentinel://).",
        ),
      ];
    } catch (error) {
      return [failed(reasonOf(error), "Start Redis, or correct PASSWRIGHT_REDIS_URL.")];
    }
  },
};

export const release: ServerCheck = {
  name: "redis-version",
  expects: "it is Redis 7.0 or newer, or Valkey, and no release whose faults this service would meet",
  async look({ server }) {
    const { product, version } = await server.facts();
    const known = knownAgainst(product, version);
    if (known === null) return [ok(`Nothing is known against ${product} ${version}.`)];
    return [(known.isTooOld ? failed : warning)(`${known.trouble}.`, known.remedy)];
  },
};

export const eviction: ServerCheck = {
  name: "eviction",
  expects: "`maxmemory-policy` is `noeviction`, and `maxmemory`, where there is one, is not nearly used up",
  async look({ server }) {
    const { evictionPolicy, maxmemoryBytes, usedMemoryBytes } = await server.facts();
    if (evictionPolicy !== "noeviction") {
      const remedy = "redis-cli CONFIG SET maxmemory-policy noeviction, and the same in redis.conf.";
      return maxmemoryBytes > 0
        ? [failed(`Redis throws passes and jobs away when memory gets short (${evictionPolicy}).`, remedy)]
        : [warning(`As soon as there is a maxmemory, Redis would evict by ${evictionPolicy}.`, remedy)];
    }
    if (maxmemoryBytes === 0) return [ok("noeviction, without a limit of memory.")];
    const share = Math.round((100 * usedMemoryBytes) / maxmemoryBytes);
    const limit = `${Math.round(maxmemoryBytes / mib)} MiB`;
    if (share < 90) return [ok(`noeviction; ${share} % of ${limit} are used.`)];
    return [
      (share < 100 ? warning : failed)(
        `${share} % of the ${limit} that Redis may use are used; at the limit new work is refused with 503.`,
        "More memory and a higher maxmemory; docs/redis.md says what takes it.",
      ),
    ];
  },
};

export const appendOnly: ServerCheck = {
  name: "append-only-file",
  expects: "the append-only file is on",
  async look({ server }) {
    const { aofEnabled } = await server.facts();
    if (aofEnabled) return [ok("The append-only file is on.")];
    return [
      warning(
        "There is no append-only file: a restart of Redis loses what was accepted since the last snapshot.",
        "redis-cli CONFIG SET appendonly yes, and the same in redis.conf.",
      ),
    ];
  },
};

export const fsync: ServerCheck = {
  name: "fsync",
  expects: "`appendfsync` is `everysec` or `always`",
  async look({ server }) {
    const { aofEnabled, fsync: policy } = await server.facts();
    if (!aofEnabled) return [ok("Of no meaning without an append-only file.")];
    if (policy === null) {
      return [
        unknown(
          "Redis does not tell its settings (CONFIG GET) to this user.",
          "Look by hand: redis-cli CONFIG GET appendfsync must say everysec or always.",
        ),
      ];
    }
    if (policy === "always") return [ok("appendfsync always.")];
    if (policy === "everysec") return [ok("appendfsync everysec: a crash can cost the last second or two.")];
    return [
      warning(
        "appendfsync no: a power cut loses whatever the system has not written yet, half a minute or more.",
        "redis-cli CONFIG SET appendfsync everysec, and the same in redis.conf.",
      ),
    ];
  },
};

export const lastWrites: ServerCheck = {
  name: "last-writes",
  expects: "the last write to disk went well, of the append-only file and of a snapshot",
  async look({ server }) {
    const facts = await server.facts();
    const remedy = "Look into the log of Redis: is the disk full, or may Redis not write there?";
    const wrong = [
      ...(facts.aofEnabled && !facts.aofLastWriteOk ? ["the last write of the append-only file"] : []),
      ...(facts.aofEnabled && !facts.aofLastRewriteOk ? ["the last rewrite of the append-only file"] : []),
      ...(facts.rdbLastSaveOk ? [] : ["the last snapshot"]),
    ];
    if (wrong.length === 0) return [ok("What was last written to disk went well.")];
    return wrong.map((what) => failed(`Redis reports an error of ${what}.`, remedy));
  },
};

/** From here on clients see odd times; Google refuses what is signed by a clock that is a minute off. */
const noticedMs = 2000;
const harmfulMs = 60_000;

export const clockSkew: ServerCheck = {
  name: "clock",
  expects: "this machine's clock and that of Redis agree within 2 s",
  async look({ server }) {
    const { byMs, withinMs } = await server.clockAhead();
    // What the network took may be on either side.
    const atLeastMs = Math.max(0, Math.abs(byMs) - withinMs);
    const told = `The clock of Redis is ${spanOf(Math.abs(byMs))} ${byMs < 0 ? "behind" : "ahead of"} this machine's`;
    if (atLeastMs < noticedMs) return [ok(`${told}.`)];
    return [
      (atLeastMs < harmfulMs ? warning : failed)(
        `${told}; due times, tokens and the history of events rely on their agreeing.`,
        "Let both machines follow a time server (timedatectl set-ntp true).",
      ),
    ];
  },
};
