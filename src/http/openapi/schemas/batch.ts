import { batchStatuses, mostErrors, mostOperations } from "../../../domain/batches/batch.ts";
import { errorCode, longText } from "./error.ts";
import {
  choice,
  described,
  instant,
  instantOrNull,
  integer,
  listOf,
  record,
  textOrNull,
  uuid,
} from "./scalars.ts";

const count = integer(0, mostOperations);

export const batchSchema = record("BatchResponse", {
  id: uuid,
  name: textOrNull(100),
  status: choice(batchStatuses),
  total: described("How many operations there are.", integer(1, mostOperations)),
  succeeded: count,
  failed: count,
  errors: {
    type: "array",
    maxItems: mostErrors,
    description: "Of the operations that failed, the 100 with the lowest indexes.",
    items: record("BatchOperationError", {
      index: described("The place in `operations`, from 0.", integer(0, mostOperations - 1)),
      error: errorCode,
      error_description: longText,
    }),
  },
  job_id: uuid,
  created_at: instant,
  started_at: instantOrNull,
  finished_at: instantOrNull,
});

export const batchListSchema = listOf("BatchListResponse", batchSchema);
