import { dictionary } from '#kernel/contract/dictionary.ts';
import type { OrderState } from '../orderStates.ts';

/** Whom an order waits for. */
export const waitingParties = dictionary('order.waitingParty', {
  PHARMACIST: '药师',
  PATIENT: '患者',
  FULFILMENT: '履约运营',
  SYSTEM: '系统',
  SUPPLIER: '供应商',
});
type Party = (typeof waitingParties.codes)[number];

const PARTIES: Readonly<Partial<Record<OrderState, Party>>> = {
  PENDING_RX: 'PHARMACIST',
  PENDING_PAYMENT: 'PATIENT',
  INTERCEPTED: 'FULFILMENT',
  PENDING_ALLOCATION: 'SYSTEM',
  FULFILLING: 'SUPPLIER',
};
/** Who is to act next; null: nobody. */
export const waitingFor = (state: OrderState): Party | null => PARTIES[state] ?? null;
