import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reviewedDocument } from '#kernel/contract/review.ts';
import { permissionCodesOf } from '#kernel/server/registry.ts';
import { allCases } from './allCases.ts';
import { PAIRS } from './fourEyesPairs.ts';
import { startTestApp, type TestApp } from './testApp.ts';

/** Tables that are not named as their documents are. */
const TABLES: Readonly<Record<string, readonly (readonly [type: string, table: string, id: string])[]>> = {
  // One table for both kinds, each with a trigger of its own below.
  'content.banner': [],
  'content.advert': [],
  'corpus.review': [
    ['corpus.material', 'corpus_material', 'id'],
    ['corpus.questionnaire', 'corpus_questionnaire', 'id'],
  ],
  'corpus.revision': [],
  'order.manualOrder': [['order.manualOrder', 'order_manual', 'id']],
  'policy.batch': [['policy.batch', 'policy_insured_batch', 'id']],
  'policy.finding': [['policy.finding', 'policy_abnormal_finding', 'id']],
};
const snake = (type: string) => type.replace('.', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const documents = Object.keys(PAIRS).flatMap((type) => TABLES[type] ?? [[type, snake(type), 'id'] as const]);

/** Tables that hang on a document and are not what its second person passes, each with its reason. */
const NO_CONTENT: Readonly<Record<string, string>> = {
  card_card: 'cards live on after their batch was passed',
  card_settlement_bill: 'bills are agreed with the other side after their batch was passed',
  corpus_follow_run: 'runs go on what was published',
  corpus_questionnaire_answer: 'answers to what was published',
  corpus_scene_preview: 'what a draft would do, looked at',
  doctor_attribution: 'carries out an approved change',
  enrolment_contract_refund: 'a document of its own, asked for after the payment was passed',
  enrolment_other_material: 'a document of its own, which may have asked for the amendment',
  insurance_version_pin: 'what hangs on a published version',
  ledger_finding: 'what a posted adjustment settled',
  lowcode_page_version: 'written through its page; a draft begins as a copy of what is published',
  order_fulfilment: 'what an audited supplier brings',
  order_supplier_goods: 'prices and stocks, which change at once by one person; an audit is about who the supplier is',
  order_supplier_pause: 'times without orders, which change at once by one person',
  pharma_adverse_report: 'reports about a medicine',
  pharma_product_line_medicine: 'who promotes a medicine',
  policy_insured_item: 'carries out a passed endorsement',
  settlement_income: 'earned by a rule after it was passed',
  settlement_program_change: 'a document of its own, asked for while the programme runs',
  settlement_program_fact: 'what doctors did for a programme that was passed',
  policy_premium_order: 'a document of its own, made by a passed endorsement',
};

/** Commands that write the row of a reviewed document and contribute nothing to what is passed, each with its reason. */
const CONTRIBUTES_NOTHING: Readonly<Record<string, string>> = {
  'InsuranceProductService/modifyProductVersion insurance.formularyVersion insurance_benefit': 'a benefit names its formulary',
  'ContractSignCheckService/takeoverSignContract enrolment.apply enrolment_check': 'the rules are judged anew for whoever takes it over',
  'ContractSignCheckService/takeoverSignContract enrolment.apply': 'says who reviews it',
  'ContractSignCheckService/batchAssignSignContract enrolment.apply': 'says who reviews it',
  'OtherMaterialService/takeoverOtherMaterial enrolment.otherMaterial': 'says who reviews it',
  'DrugService/changeSkuState pharma.medicine pharma_sku': 'sells a pack or stops it, at once and by one person',
  'PayoutService/submitPayoutBatch settlement.bill settlement_payout_item': 'reckons the tax of its payment',
  'PayoutService/reexportPayoutBankFile settlement.payoutBatch': 'gives out the same file again, and counts it',
  'SettlementService/holdSettlementBill settlement.bill': 'stops it and leaves what it says',
  'SettlementService/unholdSettlementBill settlement.bill': 'lets it go on from where it was stopped',
  'PremiumOrderService/generateInstalments policy.premiumOrder policy_premium_order_item': 'their lines',
  'PremiumOrderService/generateInstalments policy.premiumOrder': 'computes a plan that was passed; the orders are its maker’s',
};

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  // What hangs on a document is its content.
  const { rows } = await sql<{ table: string; column: string; parent: string }>`
    select c.conrelid::regclass::text as "table", a.attname as "column", c.confrelid::regclass::text as parent
      from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and cardinality(c.conkey) = 1`.execute(app.db);
  const parts = rows.flatMap(({ table, column, parent }) => {
    const of = documents.find(([, own]) => own === parent);
    return of && table !== parent && !(table in NO_CONTENT) ? [[`${of[0]} ${table}`, table, column] as const] : [];
  });
  expect(parts.length).toBeGreaterThan(20);
  await app.database.asOwner(`
    create table eyes_write (at_tx text not null, type text not null, id text not null);
    create function eyes_note() returns trigger language plpgsql security definer as $$
      begin
        insert into eyes_write
          select pg_current_xact_id()::xid::text, tg_argv[0], of.id
            from (select to_jsonb(new) ->> tg_argv[1]) of (id)
            where of.id is not null;
        return null;
      end $$;
    grant select, delete on eyes_write to public;
    ${[...documents, ...parts]
      .map(
        ([type, table, id], n) =>
          `create trigger eyes_${n} after insert or update on ${table} for each row execute function eyes_note('${type}', '${id}');`,
      )
      .join('\n')}
    create trigger eyes_banner after insert or update on content_delivery
      for each row when (new.kind = 'BANNER') execute function eyes_note('content.banner', 'id');
    create trigger eyes_advert after insert or update on content_delivery
      for each row when (new.kind = 'AD') execute function eyes_note('content.advert', 'id');`);
});
afterAll(() => app.close());

/** Documents that the command wrote and nobody was kept with. */
const unnoted = async (userId: string): Promise<string[]> => {
  const { rows } = await sql<{ type: string }>`
    select distinct w.type from eyes_write w
      where not exists (
        select from kernel_contribution c
          where c.xmin::text = w.at_tx and c.document_type = split_part(w.type, ' ', 1) and c.document_id = w.id
            and c.user_id = ${userId})`.execute(app.db);
  return rows.map(({ type }) => type);
};

describe('every command that writes a document which needs another person', () => {
  const missing: string[] = [];
  const domains = new Set(documents.map(([type]) => type.split('.')[0]));
  const commands = allCases.filter(
    ({ call, as }) =>
      call.kind === 'command' &&
      !call.operation.startsWith('export') &&
      as !== null &&
      (call.access.kind === 'permission' || call.access.kind === 'byAction') &&
      permissionCodesOf(call).some((code) => domains.has(code.split('.')[0]!)),
  );
  it.each(commands.map((entry) => [entry.call.name, entry] as const))('%s', async (name, entry) => {
    const as = await app.staff(entry.as ?? { permissions: permissionCodesOf(entry.call) });
    await entry.prepare?.(app, as);
    const input = await entry.valid(app, as);
    await sql`delete from eyes_write`.execute(app.db);
    const headers = await entry.headers?.(app);
    await app.ok(entry.call, input, { as, idempotencyKey: 'four-eyes-of-the-case', ...(headers && { headers }) });
    const rights = permissionCodesOf(entry.call);
    for (const type of await unnoted(as.userId)) {
      // What is done with the right of the second person is no contribution.
      if (rights.every((right) => reviewedDocument(type.split(' ')[0]!)?.deciders.has(right))) continue;
      missing.push(`${name} ${type}`);
    }
  });

  it('is kept with it as a contribution of his', () => {
    expect(missing.filter((one) => !(one in CONTRIBUTES_NOTHING))).toEqual([]);
    expect(Object.keys(CONTRIBUTES_NOTHING).filter((one) => !missing.includes(one))).toEqual([]);
    expect(commands.length).toBeGreaterThan(200);
  });
});
