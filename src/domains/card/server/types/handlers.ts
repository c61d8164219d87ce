import { sql } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import { contains, containsOneOf } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import {
  addCardType,
  copyCardType,
  exportCardTypeList,
  modifyCardType,
  queryCardTypeList,
  queryCardTypeVersions,
  typeLabels,
} from '../../contract/calls/types.ts';
import type { BizLine, funders, FundingMode } from '../../contract/dictionaries.ts';
import { cardErrors } from '../../contract/errors.ts';
import { faultOfTerms, termLabels, type CardTerms } from '../../contract/terms.ts';
import { typeMachine } from '../../contract/typeDictionaries.ts';
import { json, own } from '../database.ts';
import { funderOf } from './funder.ts';
import { forgetProduct } from './products.ts';
import { termsOf, validityText } from './terms.ts';
import { shownTerm } from './words.ts';

export const typeRecords = recordOf((db) => own(db).selectFrom('cardType as t').selectAll('t')).with({
  noun: '卡种',
  type: 'card.type',
  id: 't.id',
  scope: () => sql<boolean>`true`,
});

export const typeList = listOf(queryCardTypeList)
  .from(({ db }) => own(db).selectFrom('cardType as t'))
  .with({
    where: {
      keyword: containsOneOf('t.typeCode', 't.typeName'),
      kind: 't.kind',
      bizLine: 't.bizLine',
      productCode: 't.productCode',
      funder: 't.funder',
      funderName: contains('t.funderName'),
      fundingMode: 't.fundingMode',
      status: 't.status',
    },
    id: 't.id',
    sorts: {
      typeCode: 't.typeCode',
      issuedCount: sql.ref('issuedCount'),
      activeCount: sql.ref('activeCount'),
      available: sql.ref('available'),
      spent: sql.ref('spent'),
    },
    bounded: 'card types are some dozens that people make by hand',
    order: [['t.id', 'desc']],
    select: (rows) =>
      rows
        .select(['t.id', 't.typeCode', 't.typeName', 't.kind', 't.bizLine', 't.funder', 't.funderId', 't.funderName', 't.fundingMode'])
        .select(['t.productCode', 't.productState', 't.status', 't.ruleVersion', 't.rules', 't.version'])
        .select([
          sql<number>`(select count(*)::int from card_card c where c.card_type_id = t.id and c.issued_at is not null)`.as('issuedCount'),
          sql<number>`(select count(*)::int from card_card c where c.card_type_id = t.id and c.state = 'ACTIVE')`.as('activeCount'),
          sql<string>`(select coalesce(sum(c.principal_avail + c.bonus_avail), 0) from card_card c where c.card_type_id = t.id)`.as(
            'available',
          ),
          sql<string>`(select coalesce(sum(c.spent_amount), 0) from card_card c where c.card_type_id = t.id)`.as('spent'),
        ]),
    present: (rows, { has }) =>
      rows.map(({ rules, ...row }) => {
        const terms = termsOf(rules);
        return {
          ...row,
          terms,
          validity: validityText(terms),
          available: Number(row.available),
          spent: Number(row.spent),
          allowedActions: typeMachine.allowed(row.status, has),
        };
      }),
  });
export const typeExport = listExport(typeList, { call: exportCardTypeList, title: '卡种', routeKey: 'cardManagement' });

const termKeys = Object.keys(termLabels) as (keyof CardTerms)[];
interface Facts {
  typeName: string;
  bizLine: BizLine;
  funder: (typeof funders.codes)[number];
  funderId: string | null;
  funderName: string;
  fundingMode: FundingMode;
  productCode: string | null;
}
/** What a form says of a type, and what it says of its rules. */
function splitFacts(input: Facts & CardTerms): { facts: Facts; terms: CardTerms } {
  const { typeName, bizLine, funder, funderId, funderName, fundingMode, productCode } = input;
  const given = new Map<string, unknown>(Object.entries(input));
  return {
    facts: { typeName, bizLine, funder, funderId, funderName, fundingMode, productCode },
    terms: termsOf(Object.fromEntries(termKeys.map((key) => [key, given.get(key)]))),
  };
}

/** @throws Refusal SCM90020 naming the field */
function requireSound(kind: Parameters<typeof faultOfTerms>[0], input: Facts, terms: CardTerms): void {
  const fault = faultOfTerms(kind, terms);
  if (fault) throw refuseField(fault.field, fault.message);
  if (input.funder === 'PLATFORM' && terms.faceAmount > 0) throw refuseField('funder', '平台只能出资赠金和优惠券');
  if (input.fundingMode === 'SALE' && input.funder !== 'CUSTOMER') throw refuseField('fundingMode', '客户购买的出资方须为个人客户');
}

async function insertVersion(ctx: CommandContext, cardTypeId: string, ruleVersion: number, terms: CardTerms): Promise<void> {
  await own(ctx.tx)
    .insertInto('cardTypeVersion')
    .values({ cardTypeId, ruleVersion, rules: json(terms), changedByName: ctx.staff.displayName, changedAt: ctx.now })
    .execute();
}

async function requireFreeCode(ctx: CommandContext, typeCode: string): Promise<void> {
  await lockKeys(ctx.tx, 'card.typeCode', [typeCode]);
  const taken = await own(ctx.tx).selectFrom('cardType').select('id').where('typeCode', '=', typeCode).executeTakeFirst();
  if (taken) throw refuse(cardErrors.CODE_TAKEN);
}

const who = (ctx: CommandContext) => ({
  ...authorColumns(ctx),
  createdByName: ctx.staff.displayName,
  updatedAt: ctx.now,
});

export const add = command(addCardType, async (input, ctx) => {
  const { facts: asked, terms } = splitFacts(input);
  requireSound(input.kind, input, terms);
  const facts = { ...asked, ...(await funderOf(ctx, asked)) };
  await requireFreeCode(ctx, input.typeCode);
  const { id, version } = await own(ctx.tx)
    .insertInto('cardType')
    .values({ ...facts, typeCode: input.typeCode, kind: input.kind, rules: json(terms), status: 'DRAFT', ...who(ctx) })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  await insertVersion(ctx, id, 1, terms);
  ctx.target({ type: 'card.type', id, no: input.typeCode });
  return { id, version };
});

/** What an enabled type promises is never rewritten: a change of it is a new version, which only later batches pin. */
export const modify = command(modifyCardType, async (input, ctx) => {
  const before = await typeRecords.lockVersion(ctx, input.id, input.version);
  const { facts: asked, terms } = splitFacts(input);
  requireSound(before.kind, input, terms);
  // Whoever an older type names only by his name stays who he is.
  const same = asked.funder === before.funder && asked.funderId === before.funderId && asked.funderName === before.funderName;
  const facts = same ? asked : { ...asked, ...(await funderOf(ctx, asked)) };
  if (
    before.status !== 'DRAFT' &&
    (facts.funder !== before.funder || facts.funderId !== before.funderId || facts.fundingMode !== before.fundingMode)
  )
    throw refuseField('funder', '卡种启用后不能更换出资方和结算方式，请新建卡种');
  // Value that was issued is owed and settled under these: what is out would be found under another account.
  if (before.status !== 'DRAFT' && facts.productCode !== before.productCode)
    throw refuseField('productCode', '卡种启用后不能更换产品，请复制为新卡种');
  if (before.status !== 'DRAFT' && facts.bizLine !== before.bizLine)
    throw refuseField('bizLine', '卡种启用后不能更换业务线，请复制为新卡种');
  const old = termsOf(before.rules);
  const changed = JSON.stringify(old) !== JSON.stringify(termsOf(terms));
  const ruleVersion = before.status === 'DRAFT' || !changed ? before.ruleVersion : before.ruleVersion + 1;
  if (ruleVersion > before.ruleVersion) await insertVersion(ctx, before.id, ruleVersion, terms);
  else if (changed) {
    // A draft was never pinned: its one version stays the first.
    await sql`
      update card_type_version set rules = ${json(terms)} where card_type_id = ${before.id} and rule_version = ${ruleVersion}`.execute(
      ctx.tx,
    );
  }
  const { version } = await own(ctx.tx)
    .updateTable('cardType')
    .set((eb) => ({ ...facts, rules: json(terms), ruleVersion, updatedAt: ctx.now, version: eb('version', '+', 1) }))
    .where('id', '=', before.id)
    .returning('version')
    .executeTakeFirstOrThrow();
  const words = (of: CardTerms) => Object.fromEntries(termKeys.map((key) => [key, shownTerm(key, of)]));
  ctx.target({ type: 'card.type', id: before.id, no: before.typeCode });
  ctx.changed([...differencesOf(before, facts, typeLabels), ...differencesOf(words(old), words(terms), termLabels)]);
  return { id: before.id, version };
});

export async function changeTypeState(
  kernel: Kernel,
  ctx: CommandContext,
  action: 'enable' | 'disable',
  { id, version }: { id: string; version: number },
) {
  const type = await typeRecords.lockVersion(ctx, id, version);
  const status = await moveState(ctx, typeMachine, {
    targetType: 'card.type',
    targetId: id,
    targetNo: type.typeCode,
    action,
    from: type.status,
  });
  if (action === 'disable') {
    const open = await own(ctx.tx)
      .selectFrom('cardBatch')
      .select('id')
      .where('cardTypeId', '=', id)
      .where('status', 'not in', ['CLOSED', 'VOIDED'])
      .limit(1)
      .executeTakeFirst();
    if (open) throw refuse(cardErrors.BATCHES_OPEN);
    await forgetProduct(kernel, ctx.tx, type, ctx.now);
  }
  return own(ctx.tx)
    .updateTable('cardType')
    .set((eb) => ({ status, updatedAt: ctx.now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
}

export const copy = command(copyCardType, async ({ id, typeCode }, ctx) => {
  const type = await typeRecords.get(ctx.tx, ctx.staff, id);
  await requireFreeCode(ctx, typeCode);
  const made = await own(ctx.tx)
    .insertInto('cardType')
    .values({
      bizLine: type.bizLine,
      funder: type.funder,
      funderId: type.funderId,
      funderName: type.funderName,
      fundingMode: type.fundingMode,
      productCode: type.productCode,
      kind: type.kind,
      insurerId: type.insurerId,
      typeName: `${type.typeName}（副本）`.slice(0, 40),
      typeCode,
      rules: json(type.rules),
      status: 'DRAFT',
      ...who(ctx),
    })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  await insertVersion(ctx, made.id, 1, termsOf(type.rules));
  ctx.target({ type: 'card.type', id: made.id, no: typeCode });
  return made;
});

export const versions = query(queryCardTypeVersions, async ({ id }, { db }) => {
  const rows = await own(db)
    .selectFrom('cardTypeVersion as v')
    .select(['v.ruleVersion', 'v.rules', 'v.changedByName', 'v.changedAt'])
    .select(
      sql<number>`(select count(*)::int from card_batch b where b.card_type_id = v.card_type_id and b.rule_version = v.rule_version)`.as(
        'batchCount',
      ),
    )
    .where('v.cardTypeId', '=', id)
    .orderBy('v.ruleVersion')
    .execute();
  if (rows.length === 0) throw typeRecords.missing();
  return rows
    .map((row, at) => {
      const now = termsOf(row.rules);
      const before = at === 0 ? null : termsOf(rows[at - 1]!.rules);
      const changes = before
        ? termKeys
            .map((key) => ({ label: termLabels[key], before: shownTerm(key, before), after: shownTerm(key, now) }))
            .filter((one) => one.before !== one.after)
        : [];
      return { ruleVersion: row.ruleVersion, changedBy: row.changedByName, changedAt: row.changedAt, batchCount: row.batchCount, changes };
    })
    .toReversed();
});
