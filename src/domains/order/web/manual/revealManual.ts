import { send } from '#kernel/web/http/client.ts';
import { revealManualOrder, type MANUAL_SECRETS } from '../../contract/calls/manualOrders.ts';

export const revealManual = (field: (typeof MANUAL_SECRETS)[number]) => async (row: { id: string }) =>
  (await send(revealManualOrder, { id: row.id, field })).value ?? '';
