import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { mask } from '#kernel/contract/masking.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Tx } from '#kernel/server/context.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { addChain, modifyChain, exportChainList, queryChainList } from '../../contract/licenceCalls.ts';
import { revealContact } from '../../contract/storeCalls.ts';
import { applyRecords, chainRecords, storeRecords } from '../access.ts';
import { lockKeys, ownTx, own } from '../database.ts';
import { plainAccount, sameAccount, storeAccount, storedAccount, type StoredAccount, maskedAccount, maskedMobile } from './account.ts';
import { fileChange } from './changes.ts';
import { requireChainPayee } from './guards.ts';
import { containsPattern } from '#kernel/server/database/search.ts';
import { sql } from 'kysely';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';

/** Contacts and payee accounts stay in the house: they are masked wherever they are shown. */
const chainList = (secrets: Secrets) =>
  listOf(queryChainList)
    .from(({ db }) => own(db).selectFrom('institutionChain as c'))
    .with({
      where: {
        name: (eb, name) =>
          eb.or([
            eb('c.name', 'ilike', containsPattern(name)),
            eb('c.brand', 'ilike', containsPattern(name)),
            eb('c.chainNo', '=', name.toUpperCase()),
          ]),
        ids: 'c.id',
        state: 'c.state',
      },
      order: [['c.id', 'asc']],
      id: 'c.id',
      sorts: { chainNo: 'c.chainNo', storeCount: sql.ref('storeCount'), openCount: sql.ref('openCount') },
      bounded: 'chains are some hundreds',
      select: (query) =>
        query.select([
          'c.id',
          'c.chainNo',
          'c.name',
          'c.brand',
          'c.uscc',
          'c.contactName',
          'c.contactMobileCipher',
          'c.account',
          'c.state',
          'c.version',
          'c.updatedAt',
          sql<number>`(select count(*)::int from institution_drugstore s where s.chain_id = c.id and s.state <> 'CLOSED')`.as('storeCount'),
          sql<number>`(select count(*)::int from institution_drugstore s where s.chain_id = c.id and s.state = 'OPEN')`.as('openCount'),
          sql<boolean>`
            exists (select from institution_store_change q where q.owner_type = 'CHAIN' and q.owner_id = c.id and q.state = 'PENDING')`.as(
            'changePending',
          ),
        ]),
      present: (rows) =>
        rows.map(({ contactMobileCipher, account, ...row }) => ({
          ...row,
          contactMobile: maskedMobile(secrets, contactMobileCipher),
          account: maskedAccount(secrets, account),
        })),
    });

export const chainExport = (secrets: Secrets) =>
  listExport(chainList(secrets), {
    call: exportChainList,
    title: '连锁总部',
    routeKey: 'drugstoreManagement',
    columns: ['chainNo', 'name', 'brand', 'uscc', 'contactName', 'storeCount', 'openCount', 'state'],
  });

const labels = { name: '连锁名称', brand: '品牌', uscc: '统一社会信用代码', contactName: '联系人', state: '状态' };

async function requireFreeCode(tx: Tx, uscc: string, selfId: string | null): Promise<void> {
  await lockKeys(tx, [`chain:${uscc}`]);
  const there = await ownTx(tx)
    .selectFrom('institutionChain')
    .select('chainNo')
    .where('uscc', '=', uscc)
    .where('id', 'is distinct from', selfId)
    .executeTakeFirst();
  if (there) throw refuseField('uscc', `统一社会信用代码已被连锁${there.chainNo}使用`);
}

export const chainHandlers = (kernel: Kernel): readonly Handler[] => [
  chainList(kernel.secrets).handler,
  command(addChain, async ({ contactMobile, account, ...facts }, ctx) => {
    await requireFreeCode(ctx.tx, facts.uscc, null);
    const row = await ownTx(ctx.tx)
      .insertInto('institutionChain')
      .values({
        ...facts,
        chainNo: await nextNumber(ctx.tx, 'LS', ctx.today),
        contactMobileCipher: contactMobile ? kernel.secrets.encrypt(contactMobile) : null,
        ...createdColumns(ctx),
      })
      .returning(['id', 'chainNo', 'name', 'state', 'version'])
      .executeTakeFirstOrThrow();
    ctx.target({ type: 'institution.chain', id: row.id, no: row.chainNo });
    ctx.changed([{ path: 'name', label: labels.name, before: null, after: row.name }]);
    const change = account
      ? await fileChange(
          ctx,
          kernel,
          { type: 'CHAIN', id: row.id, name: row.name },
          { before: { account: null }, after: { account: storeAccount(kernel.secrets, account) }, reason: '新增连锁总部', fileIds: [] },
        )
      : null;
    return { id: row.id, state: row.state, version: row.version, allowedActions: [], changeNo: change?.changeNo ?? null };
  }),
  command(modifyChain, async ({ id, version, contactMobile, account, ...facts }, ctx) => {
    const tx = ownTx(ctx.tx);
    const before = await chainRecords.lockVersion(ctx, id, version, () => facts);
    await requireFreeCode(ctx.tx, facts.uscc, id);
    const row = await tx
      .updateTable('institutionChain')
      .set((eb) => ({
        ...facts,
        ...(contactMobile === undefined
          ? {}
          : { contactMobileCipher: contactMobile === null ? null : kernel.secrets.encrypt(contactMobile) }),
        version: eb('version', '+', 1),
        ...updatedColumns(ctx),
      }))
      .where('id', '=', id)
      .returning(['id', 'chainNo', 'name', 'state', 'version'])
      .executeTakeFirstOrThrow();
    ctx.target({ type: 'institution.chain', id, no: row.chainNo });
    ctx.changed(differencesOf(before, facts, labels));
    const changed = account !== undefined && !sameAccount(kernel.secrets, before.account, account);
    if (changed) await requireChainPayee(ctx.tx, id, account);
    const change = changed
      ? await fileChange(
          ctx,
          kernel,
          { type: 'CHAIN', id, name: row.name },
          {
            before: { account: storedAccount(before.account) },
            after: { account: storeAccount(kernel.secrets, account) },
            reason: '变更收款账户',
            fileIds: [],
          },
        )
      : null;
    return { id, state: row.state, version: row.version, allowedActions: [], changeNo: change?.changeNo ?? null };
  }),
  command(revealContact, async ({ ownerType, ownerId, field }, ctx) => {
    let cipher: string | null = null;
    let account: StoredAccount | null = null;
    if (ownerType === 'APPLY') cipher = (await applyRecords.lock(ctx.tx, ctx.staff, ownerId)).applicantMobileCipher;
    else if (ownerType === 'DRUGSTORE') {
      const store = await storeRecords.get(ctx.tx, ctx.staff, ownerId);
      cipher = store.managerMobileCipher;
      account = storedAccount(store.account);
      if (store.accountOf === 'CHAIN')
        account = storedAccount(
          (await ownTx(ctx.tx).selectFrom('institutionChain').select('account').where('id', '=', store.chainId).executeTakeFirst())
            ?.account,
        );
    } else {
      const chain = await ownTx(ctx.tx)
        .selectFrom('institutionChain')
        .select(['contactMobileCipher', 'account'])
        .where('id', '=', ownerId)
        .executeTakeFirst();
      if (!chain) throw refuse(platformErrors.NOT_FOUND);
      cipher = chain.contactMobileCipher;
      account = storedAccount(chain.account);
    }
    const value =
      field === 'MOBILE'
        ? cipher === null
          ? null
          : kernel.secrets.decrypt(cipher)
        : account === null
          ? null
          : plainAccount(kernel.secrets, account).accountNo;
    if (value === null) throw refuse(platformErrors.NOT_FOUND);
    ctx.target({
      type: `institution.${ownerType.toLowerCase()}`,
      id: ownerId,
      no: mask(field === 'MOBILE' ? 'mobile' : 'bankCard', value),
    });
    return { value };
  }),
];
