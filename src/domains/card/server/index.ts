/** All that other domains may use of card on the server: each in the open transaction of their own business, as its last statement. */
export { holdCards, type HoldRequest } from './use/hold.ts';
export type { UseLine } from './use/orders.ts';
export { captureHold, releaseHold, type CaptureCommand, type Captured, type Spending } from './use/capture.ts';
export { captureHolds, releaseHolds } from './use/several.ts';
export { usableCards, type UsableCard } from './use/usable.ts';
export { reverseNow, type ReversalRequest, type Reversed } from './use/reverse.ts';
export { queryAvailable, type Available } from './use/readCard.ts';
export { cardsOf } from './use/forOthers.ts';
