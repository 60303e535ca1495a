import t from "tap";
import { createStoreMetrics } from "../../src/metrics/store-metrics.ts";

t.test(
  "answers of Redis are timed, apart from what got none, and there are zeros before the first",
  async (t) => {
    let tell: (seconds: number, answered: boolean) => void = () => {};
    const metrics = createStoreMetrics((listener) => {
      tell = listener;
    });
    const says = async (sample: string) =>
      (await metrics.text()).split("\n").includes(`passwright_redis_seconds_${sample}`);
    for (const outcome of ["answered", "failed"]) t.ok(await says(`count{outcome="${outcome}"} 0`), outcome);
    tell(0.002, true);
    tell(0.9, false);
    t.ok(await says('bucket{le="0.001",outcome="answered"} 0'));
    t.ok(await says('bucket{le="0.0025",outcome="answered"} 1'));
    t.ok(await says('sum{outcome="failed"} 0.9'));
  },
);
