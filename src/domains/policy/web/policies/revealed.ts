import { send } from '#kernel/web/http/client.ts';
import { revealInsuredField, type revealFields } from '../../contract/calls/persons.ts';

/** Asks for a number of a person in full; the reason is logged. */
export const revealed = (insuredItemId: string, field: (typeof revealFields)[number]) => async (reason: string) =>
  (await send(revealInsuredField, { insuredItemId, field, reason })).value ?? '';
