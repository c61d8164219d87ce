import { queryCardChangeList } from '../../contract/calls/cardChanges.ts';
import { cardDetails, queryCardList, queryCardTotal, type CardRow } from '../../contract/calls/cards.ts';

/** What is read again after an act on a card. */
export const cardReads = [queryCardList, queryCardTotal, cardDetails, queryCardChangeList];
/** What acts need of a card: its row in a list, or its details. */
export type ActedCard = Pick<
  CardRow,
  'id' | 'cardNo' | 'kind' | 'state' | 'version' | 'allowedActions' | 'expireAt' | 'cardTypeName' | 'holderName' | 'available'
>;
