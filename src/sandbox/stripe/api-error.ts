import { json, Refused } from "../exchange.ts";

type Fault = {
  message: string;
  /** https://docs.stripe.com/error-codes; many refusals have none. */
  code?: string;
  /** The parameter that is at fault, as it is written in the form: `line_items[0][quantity]`. */
  param?: string;
  type?: "invalid_request_error" | "idempotency_error" | "api_error";
};

/** A refusal in Stripe's shape (https://docs.stripe.com/api/errors), to be thrown. */
export function stripeError(
  status: number,
  { message, code, param, type = "invalid_request_error" }: Fault,
  headers: Record<string, string> = {},
): Refused {
  const error = {
    ...(code !== undefined && {
      code,
      doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll("_", "-")}`,
    }),
    message,
    ...(param !== undefined && { param }),
    type,
  };
  return new Refused(json(status, { error }, headers));
}

/** What is wrong with one parameter. */
export function badParam(param: string, message: string, code?: string): Refused {
  return stripeError(400, { message, param, ...(code !== undefined && { code }) });
}

export function unknownUrl(method: string, path: string): Refused {
  const help = "Please see https://stripe.com/docs or we can help at https://support.stripe.com/.";
  return stripeError(404, { message: `Unrecognized request URL (${method}: ${path}). ${help}` });
}

/** A scripted fault in Stripe's words. */
export function scriptedRefusal(status: number, headers: Record<string, string>): Refused {
  if (status === 429) {
    const message =
      "Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.";
    return stripeError(429, { message, code: "rate_limit" }, headers);
  }
  if (status === 409) {
    const message = "There is currently another in-progress request using this Stripe idempotency key.";
    return stripeError(409, { message, code: "idempotency_key_in_use", type: "idempotency_error" }, headers);
  }
  return stripeError(status, { message: "Scripted fault.", type: "api_error" }, headers);
}
