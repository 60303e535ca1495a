import type { Clock } from "../clock.ts";
import type { DeviceStore } from "../devices/device.ts";
import type { Pause } from "../operator-tasks/pace.ts";
import type { Credentials, ProviderConfigurationStore } from "../providers/configuration.ts";
import type { Provider } from "../providers/provider.ts";
import type { ResignTaskStore } from "./resign-task.ts";

/** What telling phones of a new certificate needs. */
export type ResignDeps = {
  resignTasks: ResignTaskStore;
  devices: Pick<DeviceStore, "page" | "told">;
  providerConfigurations: Pick<ProviderConfigurationStore, "find" | "credentials">;
  providers: { apple: Pick<Provider<Credentials["apple"]>, "push"> };
  clock: Clock;
  pause: Pause;
};
