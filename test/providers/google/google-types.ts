/** Checked by tsc: what we write of classes and objects is of Google's types, and has no member that they have not. */
import type { walletobjects_v1 as Google } from "@googleapis/walletobjects";
import t from "tap";
import type { PassKind } from "../../../src/domain/templates/parsing/google/pass-kind.ts";
import type { ClassOf } from "../../../src/providers/google/class-members.ts";
import type { CommonObject } from "../../../src/providers/google/object-body.ts";
import type { ObjectOf } from "../../../src/providers/google/object-members.ts";

/** The names of members of `Ours` that `Theirs` does not have, or has of another type, however deep; never: there are none. */
type Strangers<Ours, Theirs> = Ours extends readonly (infer Item)[]
  ? Theirs extends readonly (infer Known)[]
    ? Strangers<Item, Known>
    : "not a list"
  : Ours extends object
    ? {
        [Name in keyof Ours]-?: Name extends keyof Theirs
          ? Strangers<NonNullable<Ours[Name]>, NonNullable<Theirs[Name]>>
          : Name;
      }[keyof Ours]
    : Ours extends Theirs
      ? never
      : "of another type";

type Classes = {
  loyalty: Google.Schema$LoyaltyClass;
  offer: Google.Schema$OfferClass;
  eventTicket: Google.Schema$EventTicketClass;
  flight: Google.Schema$FlightClass;
  transit: Google.Schema$TransitClass;
  giftCard: Google.Schema$GiftCardClass;
  generic: Google.Schema$GenericClass;
};
type Objects = {
  loyalty: Google.Schema$LoyaltyObject;
  offer: Google.Schema$OfferObject;
  eventTicket: Google.Schema$EventTicketObject;
  flight: Google.Schema$FlightObject;
  transit: Google.Schema$TransitObject;
  giftCard: Google.Schema$GiftCardObject;
  generic: Google.Schema$GenericObject;
};

type StrangeIn<Ours extends Record<PassKind, object>, Theirs extends Record<PassKind, object>> = {
  [Kind in PassKind]: Strangers<Ours[Kind], Theirs[Kind]>;
}[PassKind];
type OwnObjects = { [Kind in PassKind]: ObjectOf[Kind] & CommonObject };

const strangers: readonly never[] = [] satisfies readonly (
  | StrangeIn<ClassOf, Classes>
  | StrangeIn<OwnObjects, Objects>
)[];

type Assert<Holds extends true> = Holds;
type IsNever<Type> = [Type] extends [never] ? true : false;
/** The judge itself: it finds a member that is not there, deep within lists as well, and a wrong type. */
export type Judged = [
  Assert<IsNever<StrangeIn<ClassOf, Classes>>>,
  Assert<IsNever<StrangeIn<OwnObjects, Objects>>>,
  Assert<"colour" extends Strangers<{ colour: string }, Classes["loyalty"]> ? true : false>,
  Assert<
    "shape" extends Strangers<{ textModulesData: { id: string; shape: string }[] }, Objects["offer"]>
      ? true
      : false
  >,
  Assert<"of another type" extends Strangers<{ issuerName: number }, Classes["offer"]> ? true : false>,
  Assert<"not a list" extends Strangers<{ heroImage: string[] }, Classes["offer"]> ? true : false>,
];

t.test("tsc finds no member that Google does not have", async (t) => {
  t.strictSame(strangers, []);
});
