import { refuse, refuseField, platformErrors } from '#kernel/contract/errors.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { distanceM } from '../../contract/geometry.ts';
import { storeMachine } from '../../contract/states.ts';
import { addDrugstore, modifyDrugstore, saveStorePlace } from '../../contract/storeCalls.ts';
import { storeLabels, type StoreFacts } from '../../contract/storeFacts.ts';
import { storeRecords, type StoreRecord } from '../access.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { json, ownTx } from '../database.ts';
import { requireInside } from '../hospitals/facts.ts';
import { requireOwnPlace } from '../regions.ts';
import { grams, normName } from '../rules/normName.ts';
import { sameAccount, storeAccount, storedAccount, type StoredAccount } from './account.ts';
import { fileChange, type AuditedFacts } from './changes.ts';
import { requireLicences, requirePayee, heldLicences, addressHash, requireUniqueStore } from './guards.ts';
import { publishStore } from './publish.ts';

/** An open store's place may be corrected by this much without an audit. */
const FREE_MOVE_M = 500;
const sorted = (values: readonly string[]) => [...values].toSorted();
const same = (a: readonly string[], b: readonly string[]) => json(sorted(a)) === json(sorted(b));

/** Columns of entered facts, without what an open store's audit decides. */
async function columnsOf(ctx: CommandContext, kernel: Kernel, facts: StoreFacts) {
  const place = await requireOwnPlace(ctx, facts.adcode);
  requireInside(facts, place.adcode);
  if (facts.chainId !== null) {
    const chain = await ownTx(ctx.tx).selectFrom('institutionChain').select('id').where('id', '=', facts.chainId).executeTakeFirst();
    if (!chain) throw refuseField('chainId', '连锁总部不存在');
  }
  const { account: _account, managerMobile, ...rest } = facts;
  const norm = normName(facts.name, place);
  return {
    ...rest,
    adcode: place.adcode,
    cityAdcode: place.cityAdcode,
    provinceAdcode: place.provinceAdcode,
    normName: norm,
    nameGrams: grams(norm),
    addressHash: addressHash(facts.address),
    ...(managerMobile === undefined ? {} : { managerMobileCipher: managerMobile === null ? null : kernel.secrets.encrypt(managerMobile) }),
  };
}

const chainName = async (tx: Tx, chainId: string | null) =>
  chainId === null
    ? null
    : ((await ownTx(tx).selectFrom('institutionChain').select('name').where('id', '=', chainId).executeTakeFirst())?.name ?? null);

/** The account after saving: the entered one, else the stored one where the shop has its own. */
function accountAfter(kernel: Kernel, facts: StoreFacts, stored: StoredAccount | null): StoredAccount | null {
  if (facts.accountOf !== 'SHOP') return null;
  if (facts.account === undefined) {
    if (stored === null) throw refuseField('account', '请填写收款账户');
    return stored;
  }
  return stored !== null && sameAccount(kernel.secrets, stored, facts.account) ? stored : storeAccount(kernel.secrets, facts.account);
}

/** What of the new facts needs an audit, as before and after. */
function auditedPart(store: StoreRecord, facts: StoreFacts, account: StoredAccount | null): { before: AuditedFacts; after: AuditedFacts } {
  const before: AuditedFacts = {};
  const after: AuditedFacts = {};
  if (!same(store.storeTags, facts.storeTags)) {
    before.storeTags = store.storeTags;
    after.storeTags = facts.storeTags;
  }
  for (const key of ['uscc', 'nhsaCode'] as const) {
    if (store[key] === facts[key]) continue;
    before[key] = store[key];
    after[key] = facts[key];
  }
  // Another chain is another payee.
  if (store.chainId !== facts.chainId && [store.accountOf, facts.accountOf].includes('CHAIN')) {
    Object.assign(before, { chainId: store.chainId, chainStoreCode: store.chainStoreCode });
    Object.assign(after, { chainId: facts.chainId, chainStoreCode: facts.chainStoreCode });
  }
  if (store.accountOf !== facts.accountOf || account !== store.account) {
    Object.assign(before, { accountOf: store.accountOf, account: store.account });
    Object.assign(after, { accountOf: facts.accountOf, account });
  }
  const moved =
    store.lngE6 !== null && store.latE6 !== null && facts.lngE6 !== null && facts.latE6 !== null
      ? distanceM({ lngE6: store.lngE6, latE6: store.latE6 }, { lngE6: facts.lngE6, latE6: facts.latE6 })
      : store.lngE6 === facts.lngE6
        ? 0
        : FREE_MOVE_M + 1;
  if (moved > FREE_MOVE_M) {
    Object.assign(before, { lngE6: store.lngE6, latE6: store.latE6, locateSource: store.locateSource });
    Object.assign(after, { lngE6: facts.lngE6, latE6: facts.latE6, locateSource: facts.locateSource });
  }
  return { before, after };
}

/** Whoever changes what waits for its audit has made it: somebody else decides. */
export const makerOf = (ctx: CommandContext, store: Pick<StoreRecord, 'state'>) =>
  store.state === 'PENDING' ? { makerId: ctx.staff.userId } : {};

export async function saveStore(
  ctx: CommandContext,
  kernel: Kernel,
  store: StoreRecord,
  facts: StoreFacts,
  reason: string,
): Promise<{ store: StoreRecord; changeNo: string | null }> {
  if (store.state === 'CLOSED') throw refuse(platformErrors.WRONG_STATE, { state: storeMachine.states.CLOSED.label });
  const columns = await columnsOf(ctx, kernel, facts);
  const account = accountAfter(kernel, facts, storedAccount(store.account));
  await requireUniqueStore(ctx.tx, facts, store.id);
  const live = store.state === 'OPEN' || store.state === 'SUSPENDED';
  const { before, after } = live ? auditedPart(store, facts, account) : { before: {}, after: {} };
  let changeNo: string | null = null;
  if (live && Object.keys(after).length > 0) {
    if (facts.lngE6 === null) throw refuseField('lngE6', '请在地图上选择门店位置');
    const held = await heldLicences(ctx.tx, 'DRUGSTORE', store.id);
    for (const side of [before, after]) if (side.chainId !== undefined) side.chainName = await chainName(ctx.tx, side.chainId);
    const then = {
      ...store,
      capabilities: facts.capabilities,
      chainId: facts.chainId,
      storeTags: after.storeTags ?? store.storeTags,
      accountOf: after.accountOf ?? store.accountOf,
      account: 'account' in after ? after.account : store.account,
    };
    if (after.storeTags) requireLicences(then, held, ctx.today);
    await requirePayee(ctx.tx, then, held);
    changeNo = (
      await fileChange(ctx, kernel, { type: 'DRUGSTORE', id: store.id, name: store.name }, { before, after, reason, fileIds: [] })
    ).changeNo;
  }
  // What waits for its audit stays as it is.
  const kept = Object.fromEntries(
    Object.keys(after)
      .filter((key) => key !== 'account' && key !== 'chainName')
      .map((key) => [key, store[key as keyof StoreRecord]]),
  );
  const added = facts.capabilities.filter((capability) => !store.capabilities.includes(capability));
  if (store.state === 'OPEN' && added.length > 0)
    requireLicences({ storeTags: [], capabilities: facts.capabilities }, await heldLicences(ctx.tx, 'DRUGSTORE', store.id), ctx.today);
  const differences = differencesOf(store, { ...facts, ...kept, account: undefined, managerMobile: undefined }, { ...storeLabels });
  await moveState(ctx, storeMachine, {
    targetType: 'institution.drugstore',
    targetId: store.id,
    targetNo: store.storeNo,
    action: 'modify',
    from: store.state,
    opinion: reason,
    differences: differences.filter(({ path }) => path !== 'account' && path !== 'managerMobile'),
  });
  const row = await ownTx(ctx.tx)
    .updateTable('institutionDrugstore')
    .set((eb) => ({
      ...columns,
      ...kept,
      account: 'account' in after ? (store.account === null ? null : json(store.account)) : account === null ? null : json(account),
      ...makerOf(ctx, store),
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', store.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (live) await publishStore(ctx, row);
  return { store: row, changeNo };
}

export async function insertStore(ctx: CommandContext, kernel: Kernel, facts: StoreFacts): Promise<StoreRecord> {
  const columns = await columnsOf(ctx, kernel, facts);
  const account = accountAfter(kernel, facts, null);
  await requireUniqueStore(ctx.tx, facts, null);
  const row = await ownTx(ctx.tx)
    .insertInto('institutionDrugstore')
    .values({
      ...columns,
      storeNo: await nextNumber(ctx.tx, 'YD', ctx.today),
      account: account === null ? null : json(account),
      weekHours: json({}),
      state: 'DRAFT',
      makerId: ctx.staff.userId,
      ...createdColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  ctx.target({ type: 'institution.drugstore', id: row.id, no: row.storeNo });
  ctx.changed([{ path: 'name', label: '药店名称', before: null, after: row.name }]);
  return row;
}

/** The entered facts of a stored store; what stays unknown to pages is left as it is. */
export const factsOfStore = (store: StoreRecord): StoreFacts => {
  const facts = Object.fromEntries(
    (Object.keys(storeLabels) as (keyof StoreFacts)[])
      .filter((key) => key !== 'account' && key !== 'managerMobile')
      .map((key) => [key, store[key as keyof StoreRecord]]),
  );
  return facts as StoreFacts;
};

export const saveHandlers = (kernel: Kernel): readonly Handler[] => [
  command(addDrugstore, async (facts, ctx) => ({
    ...actionAnswer(ctx, storeMachine, await insertStore(ctx, kernel, facts)),
    changeNo: null,
  })),
  command(modifyDrugstore, async ({ id, version, reason, ...facts }, ctx) => {
    const before = await storeRecords.lockVersion(ctx, id, version, factsOfStore);
    const { store, changeNo } = await saveStore(ctx, kernel, before, facts, reason);
    return { ...actionAnswer(ctx, storeMachine, store), changeNo };
  }),
  command(saveStorePlace, async ({ id, version, lngE6, latE6 }, ctx) => {
    const before = await storeRecords.lockVersion(ctx, id, version, factsOfStore);
    const { store, changeNo } = await saveStore(
      ctx,
      kernel,
      before,
      { ...factsOfStore(before), lngE6, latE6, locateSource: 'TIP' },
      '解析坐标',
    );
    return { ...actionAnswer(ctx, storeMachine, store), changeNo };
  }),
];
