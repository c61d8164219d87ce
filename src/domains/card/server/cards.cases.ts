import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import {
  addCardChange,
  auditCardChange,
  exportCardChangeList,
  queryCardChangeList,
  withdrawCardChange,
} from '../contract/calls/cardChanges.ts';
import {
  activateCard,
  batchFreezeCard,
  cardDetails,
  exportCardList,
  exportCardStatement,
  freezeCard,
  openBindCard,
  queryCardList,
  queryCardStatement,
  queryCardTotal,
  querySelectOptions,
  resetCardSecret,
  revealCardHolder,
  unfreezeCard,
} from '../contract/calls/cards.ts';
import { idNoHash } from '#domains/patient/server/index.ts';
import { hashOfSecret } from './cards/cardNo.ts';
import { own } from './database.ts';
import { openCard } from './testing/documents.ts';
import { keeper } from './testing/fixtures.ts';

const NONE = '999999999';
const SECRET = 'ABCDEFGH2345';
const ID_NO = '11010519491231002X';
const opinion = '持卡人要求';
const reasonCode = 'LOST' as const;

const versionOf = async (app: TestApp, cardId: string) =>
  (await own(app.db).selectFrom('cardCard').select('version').where('id', '=', cardId).executeTakeFirstOrThrow()).version;
async function aCard(app: TestApp) {
  const { cardId } = await openCard(app);
  return { cardId, version: await versionOf(app, cardId) };
}
async function frozenCard(app: TestApp) {
  const card = await aCard(app);
  const { version } = await app.ok(freezeCard, { ...card, reasonCode, opinion }, { as: await keeper(app) });
  return { cardId: card.cardId, version };
}
/** A card that waits for its holder. */
async function issuedCard(app: TestApp) {
  const { cardId, cardNo } = await openCard(app);
  await own(app.db)
    .updateTable('cardCard')
    .set({
      state: 'ISSUED',
      secretHash: hashOfSecret(app.kernel.secrets, cardNo, SECRET),
      holderIdHash: idNoHash(app.kernel.secrets, ID_NO),
    })
    .where('id', '=', cardId)
    .execute();
  return { cardId, cardNo, version: await versionOf(app, cardId) };
}
const noCard = { cardId: NONE, version: 1 };
const rebind = { action: 'REBIND' as const, mobile: '13800138000', reason: opinion };
async function aChange(app: TestApp, as?: Parameters<CallCase['valid']>[1]) {
  const { cardId } = await openCard(app);
  const { made } = await app.ok(addCardChange, { cardIds: [cardId], ...rebind }, { as: as ?? (await keeper(app)) });
  return { changeId: made[0]!.id, version: made[0]!.version };
}
const noChange = { changeId: NONE, version: 1 };
const bindInput = (cardNo: string) => ({ cardNo, secret: SECRET, holderName: '张三', idNo: ID_NO });

export const cardListCases: readonly CallCase[] = [
  callCase(queryCardList, async (app) => {
    await openCard(app);
    return {};
  }),
  callCase(exportCardList, async (app) => {
    await openCard(app);
    return {};
  }),
  callCase(queryCardTotal, async () => ({})),
  callCase(cardDetails, async (app) => ({ cardId: (await openCard(app)).cardId }), { foreign: async () => ({ cardId: NONE }) }),
  callCase(querySelectOptions, async () => ({ type: 'CARD_TYPE' as const })),
  callCase(queryCardStatement, async (app) => ({ cardId: (await openCard(app)).cardId }), { foreign: async () => ({ cardId: NONE }) }),
  callCase(exportCardStatement, async (app) => ({ cardId: (await openCard(app)).cardId }), { foreign: async () => ({ cardId: NONE }) }),
  callCase(revealCardHolder, async (app) => ({ cardId: (await openCard(app)).cardId, field: 'mobile' as const, reason: '联系持卡人' }), {
    foreign: async () => ({ cardId: NONE, field: 'mobile' as const, reason: '联系持卡人' }),
  }),
  callCase(freezeCard, async (app) => ({ ...(await aCard(app)), reasonCode, opinion }), {
    foreign: async () => ({ ...noCard, reasonCode, opinion }),
  }),
  callCase(unfreezeCard, async (app) => ({ ...(await frozenCard(app)), opinion }), { foreign: async () => ({ ...noCard, opinion }) }),
  callCase(
    activateCard,
    async (app) => {
      const { cardId, version } = await issuedCard(app);
      return { cardId, version, secret: SECRET };
    },
    { foreign: async () => ({ ...noCard, secret: SECRET }) },
  ),
  callCase(resetCardSecret, async (app) => ({ ...(await aCard(app)), opinion }), { foreign: async () => ({ ...noCard, opinion }) }),
  callCase(batchFreezeCard, async (app) => ({ cardIds: [(await aCard(app)).cardId], reasonCode, opinion }), {
    foreign: async () => ({ cardIds: [NONE], reasonCode, opinion }),
  }),
  callCase(openBindCard, async (app) => bindInput((await issuedCard(app)).cardNo), {
    foreign: async () => bindInput('3000000000000000'),
  }),
  callCase(queryCardChangeList, async (app) => {
    await aChange(app);
    return {};
  }),
  callCase(exportCardChangeList, async (app) => {
    await aChange(app);
    return {};
  }),
  callCase(addCardChange, async (app) => ({ cardIds: [(await aCard(app)).cardId], ...rebind }), {
    foreign: async () => ({ cardIds: [NONE], ...rebind }),
  }),
  callCase(auditCardChange, async (app) => ({ ...(await aChange(app)), decision: 'approve' as const }), {
    foreign: async () => ({ ...noChange, decision: 'approve' as const }),
  }),
  callCase(withdrawCardChange, async (app, as) => aChange(app, as), { foreign: async () => noChange }),
];
