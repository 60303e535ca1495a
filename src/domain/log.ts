/** Facts of one finished thing, as one line. Nothing secret may be among them. */
export type Facts = Record<string, unknown>;

/** A structured log. `event` is a noun and a past participle: `job.finished`. */
export type Log = {
  debug(facts: Facts, event: string): void;
  info(facts: Facts, event: string): void;
  warn(facts: Facts, event: string): void;
  error(facts: Facts, event: string): void;
};
