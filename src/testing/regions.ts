import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { addSceneSimulation } from '#domains/corpus/contract/engine/simulationCalls.ts';
import type { Call } from '#kernel/contract/call.ts';
import { dayOf, days, plusMs } from '#kernel/contract/time.ts';
import { csvRows } from '#kernel/server/importing/readCsv.ts';
import type { TestStaff } from './staff.ts';
import type { TestApp } from './testApp.ts';

// Walks every list and every export as somebody of one region, beside somebody who sees the country.
const REGION = '310000';
const INSIDE = '31';
const PAGE = 999;
/** Longer lists are compared by their first pages. */
const MOST_PAGES = 3;

const security = readFileSync(path.join(import.meta.dirname, '../../SECURITY.md'), 'utf8');
const section = security.split(/^## /m).find((text) => text.startsWith('What a region does not limit')) ?? '';
const unlimited = new Set([...section.matchAll(/`(\w+Service\/\w+)`/g)].map(([, name]) => name!));
/** Of those, what each caller has of his own, and the log that the walk itself writes: nothing to compare. */
const OWN = new Set([
  'NoticeService/queryMyNoticeList',
  'ExportService/queryExportTaskList',
  'ImportService/queryImportTaskList',
  'ImportService/queryImportRowList',
  'ImMedicalGroupService/queryImMedicalGroupPage',
  'ExportService/exportDemoBigData',
  'OperationLogService/queryOperationLogList',
  'OperationLogService/exportOperationLog',
  // Rows of a comparison that somebody asked for, which the demonstration has none of; limited as the rows of a simulation are.
  'ScenePackageService/querySceneReplayRows',
]);

/** Exports whose list goes by another name. */
const LIST_OF: Readonly<Record<string, string>> = {
  'HospitalService/exportDuplicateHospital': 'HospitalService/queryDuplicatePairList',
  'DrugstoreService/exportLicenceList': 'DrugstoreService/queryLicenceExpireList',
  'QrCodeService/exportQrCodeList': 'QrCodeService/queryCommonQrCodeList',
  'QrCodeService/exportExcel': 'QrCodeService/queryScanList',
  'DoctorPatientChannelService/exportAttributionList': 'DoctorPatientChannelService/queryDoctorChannelList',
  'QuestionnaireService/exportQuestionnaireAnswer': 'QuestionnaireService/queryQuestionnaireAnswerList',
  'OrderService/exportExcel': 'OrderService/queryOrderList',
  'AfterSaleService/exportAfterSale': 'AfterSaleService/queryAfterSaleList',
  'ManualOrderService/exportManualOrder': 'ManualOrderService/queryManualOrderList',
  'PaymentService/exportPayment': 'PaymentService/queryPaymentList',
  'PaymentService/exportRefund': 'PaymentService/queryRefundList',
  'PaymentService/exportRefundBatch': 'PaymentService/queryRefundBatchList',
  'CardService/exportExcel': 'CardService/queryCardList',
  'CardGrantService/exportGrantResult': 'CardGrantService/queryGrantLineList',
  'MarkService/exportMarkBindingList': 'MarkService/queryMarkObjectList',
  'VisitRecordService/exportVisitRecordExcel': 'VisitRecordService/queryVisitRecordList',
  'InsuranceProductService/exportAssociatedProduct': 'InsuranceProductService/queryAssociatedProductList',
  'InsuranceProductService/exportReasonText': 'InsuranceProductService/queryReasonTextList',
  'FormularyService/exportFormularyLine': 'FormularyService/queryFormularyLineList',
  'ControlService/exportControlHit': 'ControlService/queryControlHitList',
  'ClaimRuleService/exportReplay': 'ClaimRuleService/queryReplayCaseList',
  'PolicyService/exportExcel': 'PolicyService/queryPolicyList',
  'PolicyService/exportPolicy': 'PolicyService/queryPolicyList',
  'AbnormalPolicyService/exportFinding': 'AbnormalPolicyService/queryFindingList',
  'PolicyService/exportEndorsement': 'PolicyService/queryEndorsementList',
  'PolicyService/exportInsuredPerson': 'PolicyService/queryInsuredPersonList',
  'PremiumOrderService/exportPremiumOrder': 'PremiumOrderService/queryPremiumOrderList',
  'PremiumOrderService/exportReceipt': 'PremiumOrderService/queryReceiptList',
};
/** Each of the demonstration's hand-overs holds a customer of the region among others. */
const MEETS_ALL = new Set(['WeChatWorkService/queryContactTransferList']);
/** Not there, outside the scope, not one's own work. */
const REFUSALS = ['SCM90040', 'SCM09001', 'SCM10001'];
/** An archive of chosen records, whose case names a foreign one, and sums of what the asking person sees: no list's rows. */
const ARCHIVES = new Set([
  'DoctorInfoService/exportDoctorCardZip',
  'FollowStatService/exportFollowStat',
  'DataStatisticsService/exportExcel',
]);
const listOf = ({ name }: Call) => LIST_OF[name] ?? name.replace('/export', '/query');
/** Scans, bindings of marks and insured people are too many for one export. */
const WINDOWS: Readonly<Record<string, object>> = {
  'QrCodeService/exportExcel': { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T02:00:00.000Z' },
  'MarkService/exportMarkBindingList': { objectType: 'DOCTOR' },
  'PolicyService/exportInsuredPerson': { relation: ['CHILD'] },
};
const windowOf = ({ name }: Call): object => WINDOWS[name] ?? {};

/** Places by the ids that rows carry. */
const PLACES: Readonly<Record<string, string>> = {
  doctorId: 'select adcode from doctor_doctor where id = ',
  doctorNo: 'select adcode from doctor_doctor where doctor_no = ',
  hospitalId: 'select adcode from institution_hospital where id = ',
  survivorId: 'select adcode from institution_hospital where id = ',
  storeId: 'select adcode from institution_drugstore where id = ',
  channelId: 'select adcode from channel_channel where id = ',
  patientId: 'select adcode from patient_patient where id = ',
  orderId: 'select adcode from doctor_consult_order where id = ',
  vipId: 'select c.adcode from channel_vip v join channel_channel c on c.id = v.channel_id where v.id = ',
};

/** Finds the regions that a row names itself or through the records that it names. */
function placeFinder(app: TestApp): (row: unknown) => Promise<string[]> {
  const known = new Map<string, Promise<string[]>>();
  const once = (question: string, ask: () => Promise<string[]>) => {
    const asked = known.get(question) ?? ask();
    known.set(question, asked);
    return asked;
  };
  const adcodes = async (rows: Promise<{ rows: { adcode: string | null }[] }>) => (await rows).rows.flatMap(({ adcode }) => adcode ?? []);
  const ofRecord = (key: string, id: string) =>
    once(`${key}:${id}`, () => adcodes(sql<{ adcode: string | null }>`${sql.raw(PLACES[key]!)} ${id}`.execute(app.db)));
  /** A doctor's region; of a patient those of the doctors whom he follows or who brought him. */
  const ofSubject = (type: string, id: string) =>
    once(`${type}:${id}`, () =>
      adcodes(
        sql<{ adcode: string | null }>`
          select d.adcode from doctor_doctor d where case when ${type} = 'DOCTOR' then d.id = ${id} else d.id in
            (select doctor_id from doctor_patient where patient_id = ${id}
             union select via_doctor_id from doctor_attribution where subject_type = 'PATIENT' and subject_id = ${id}) end`.execute(app.db),
      ),
    );
  return async function placesOf(row) {
    if (typeof row !== 'object' || row === null) return [];
    if ('subjectType' in row && 'subjectId' in row) return ofSubject(String(row.subjectType), String(row.subjectId));
    const found: string[] = [];
    for (const [key, value] of Object.entries(row)) {
      if (/^(adcode|adcodes|cityAdcode)$/.test(key))
        found.push(...(Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string'));
      else found.push(...(key in PLACES && typeof value === 'string' ? await ofRecord(key, value) : await placesOf(value)));
    }
    return found;
  };
}

/** Rows as texts, so that two readers' rows are compared whole, masks included. */
async function list(app: TestApp, call: Call, as: TestStaff, input: object = {}) {
  const rows: string[] = [];
  for (let pageNo = 1; ; pageNo++) {
    const { envelope } = await app.send(call, { ...input, pageNo, pageSize: PAGE }, { as });
    expect(envelope, call.name).toMatchObject({ code: '0000000' });
    const data = envelope.data as unknown[] | { rows: unknown[] };
    const page = Array.isArray(data) ? data : data.rows;
    rows.push(...page.map((row) => JSON.stringify(row)));
    const total = envelope.totalRecordCount ?? rows.length;
    if (page.length < PAGE || call.shape === 'cursor') return { rows, total, whole: true };
    if (pageNo === MOST_PAGES) return { rows, total, whole: false };
  }
}

/** Rows of an export, its head apart; none where nothing is found. */
async function exported(app: TestApp, call: Call, as: TestStaff, input: object): Promise<{ head: string[]; rows: string[][] }> {
  const { envelope, file } = await app.send(call, { ...input, format: 'CSV' }, { as });
  if (envelope.code === 'SCM02020') return { head: [], rows: [] };
  expect(file, `${call.name}: ${JSON.stringify(envelope)}`).not.toBeNull();
  const [head = [], ...rows] = [...csvRows(file!.toString('utf8').replace(/^\uFEFF/, ''))];
  return { head, rows };
}

/** What the second has beyond the first. */
function surplus(all: readonly string[], some: readonly string[]): string[] {
  const left = Map.groupBy(all, (row) => row);
  return some.filter((row) => left.get(row)?.pop() === undefined);
}

/** Lists that hang on one record: asked for one of another region. */
async function foreignInputs(app: TestApp): Promise<Readonly<Record<string, object>>> {
  const { rows } = await sql<Record<'patientId' | 'accountId' | 'doctorId' | 'groupId', string>>`
    with person as (
      select p.id, a.operator_id
        from patient_patient p
        join patient_account_person a on a.patient_id = p.id and a.removed_at is null
        where p.adcode not like ${`${INSIDE}%`} and p.state = 'ACTIVE'
        order by p.id limit 1
    )
    select (select id from person) as "patientId", (select operator_id from person) as "accountId",
      (select id from doctor_doctor where adcode not like ${`${INSIDE}%`} order by id limit 1) as "doctorId",
      (
        select g.group_id
          from consultation_medical_group g
          join doctor_doctor d on d.id = g.doctor_id
          where d.adcode not like ${`${INSIDE}%`}
          order by g.group_id limit 1
      ) as "groupId"`.execute(app.db);
  const { patientId, accountId, doctorId, groupId } = rows[0]!;
  return {
    'SuffererService/queryRecordAccessList': { patientId },
    'EhrService/findEhrMedicineSuggested': {
      moduleCode: 'modular004',
      paragraphCode: '',
      pageCode: 'IM_PANEL',
      associatedId: accountId,
    },
    'EhrService/queryPatientModule': { patientId, moduleCode: 'modular001' },
    'AssistantService/queryAssistantBindHistory': { doctorId },
    'VideoService/queryVideoList': { groupId },
  };
}

/** Lists of one book. */
const IN_BOOK = new Set(
  ['Account', 'Adjustment', 'Entry', 'Finding', 'Hold', 'Lot', 'Period', 'Proof'].map((noun) => `LedgerService/queryLedger${noun}List`),
);

/** Catalogues that hang on another record of the catalogue. */
async function parentInput(app: TestApp, name: string, asking: TestStaff): Promise<object> {
  const first = async (query: string) => (await sql.raw<{ id: string }>(query).execute(app.db)).rows[0]!.id;
  if (name === 'SceneInfoService/querySceneList')
    return { diseaseId: await first('select disease_id as id from corpus_scene order by id limit 1') };
  if (name === 'ScheduleService/queryScheduleList')
    return { scenePackageId: await first('select id from corpus_scene order by id limit 1') };
  if (name === 'ScenePackageService/queryPackageVersionList')
    return { scenePackageId: await first('select scene_package_id as id from corpus_package_version order by id limit 1') };
  if (name === 'ScenePackageService/queryScenePreviewRows')
    return { previewId: await first('select id from corpus_scene_preview order by id limit 1') };
  if (name === 'MarkRuleService/queryMarkRuleRunList')
    return { ruleId: await first('select rule_id as id from content_mark_rule_run order by id limit 1') };
  if (name === 'AdvertiseService/queryContentStat')
    return { kind: 'BANNER', from: dayOf(plusMs(app.clock.now(), -days(30))), to: dayOf(app.clock.now()) };
  if (name === 'ScenePackageService/querySceneSimulationList') {
    const scenePackageId = await first(
      'select scene_package_id as id from corpus_follow_run group by scene_package_id order by count(*) desc, 1 limit 1',
    );
    const { previewId } = await app.ok(addSceneSimulation, { scenePackageId, source: 'PUBLISHED', days: 3 }, { as: asking });
    await app.runDue();
    return { previewId };
  }
  if (name === 'FormularyService/queryFormularyLineList')
    return { formularyVersionId: await first('select formulary_version_id as id from insurance_formulary_line order by id limit 1') };
  if (name === 'ClaimRuleService/queryReplayCaseList')
    return {
      replayId: await first('select replay_id as id from insurance_rule_replay_case group by replay_id order by count(*) desc, 1 limit 1'),
    };
  if (name === 'InsuredListService/queryInsuredBatchRowList')
    return {
      batchId: await first('select batch_id as id from policy_insured_batch_row group by batch_id order by count(*) desc, 1 limit 1'),
    };
  if (name === 'CardSettlementService/querySettlementLineList')
    return {
      billId: await first('select bill_id as id from card_settlement_line where live group by bill_id order by count(*) desc, 1 limit 1'),
    };
  if (name === 'PerformanceService/queryPerfChangeItemList')
    return {
      requestId: await first('select request_id as id from settlement_perf_item group by request_id order by count(*) desc, 1 limit 1'),
    };
  if (name === 'IncentiveService/queryIncentiveFactList')
    return {
      programId: await first('select program_id as id from settlement_program_fact group by program_id order by count(*) desc, 1 limit 1'),
    };
  if (name === 'SupplierService/querySupplierGoodsList')
    return {
      supplierId: await first('select supplier_id as id from order_supplier_goods group by supplier_id order by count(*) desc, 1 limit 1'),
    };
  if (name === 'LedgerService/queryLedgerLotMoveList')
    return { lotNo: await first('select lot_no as id from ledger_lot order by id limit 1') };
  // All entries of the book are more than an export gives at once.
  if (name === 'LedgerService/queryLedgerEntryList')
    return { book: 'CARD', transferNo: await first('select transfer_no as id from ledger_transfer order by id limit 1') };
  if (IN_BOOK.has(name)) return { book: 'CARD' };
  if (name === 'OperationLogService/queryTargetLog') return { targetType: 'staffUser', targetId: '1' };
  return {};
}

export interface RegionReaders {
  /** Sees everything. */
  country: TestStaff;
  /** The same rights, within one region. */
  local: TestStaff;
}
export async function regionReaders(app: TestApp): Promise<RegionReaders> {
  const permissions = app.kernel.registry.permissions.map(({ code }) => code);
  return { country: await app.staff({ permissions }), local: await app.staff({ permissions, scope: { region: [REGION] } }) };
}

/** What every list shows somebody of one region: its faults, and how many lists were held against the places of their rows. */
export async function listFaults(app: TestApp, { country, local }: RegionReaders): Promise<{ faults: string[]; placed: number }> {
  const foreign = await foreignInputs(app);
  const placesOf = placeFinder(app);
  const faults: string[] = [];
  let placed = 0;
  for (const call of app.kernel.registry.calls.filter(({ shape }) => shape === 'list' || shape === 'cursor')) {
    const { name } = call;
    if (OWN.has(name)) continue;
    if (name in foreign) {
      const { envelope } = await app.send(call, { ...foreign[name], pageNo: 1, pageSize: PAGE }, { as: local });
      const empty = envelope.code === '0000000' && envelope.totalRecordCount === 0;
      if (!empty && !REFUSALS.includes(envelope.code)) faults.push(`${name}: a record of another region answers ${envelope.code}`);
      continue;
    }
    const input = await parentInput(app, name, country);
    const [all, some] = [await list(app, call, country, input), await list(app, call, local, input)];
    if (unlimited.has(name)) {
      if (all.total !== some.total) faults.push(`${name}: SECURITY.md says that no region limits it`);
      continue;
    }
    if (all.rows.length === 0) faults.push(`${name}: the demonstration shows nothing of it`);
    if (all.whole) {
      if (some.rows.length >= all.rows.length && !MEETS_ALL.has(name))
        faults.push(`${name}: ${some.rows.length} of ${all.rows.length} rows`);
      if (surplus(all.rows, some.rows).length > 0) faults.push(`${name}: rows differ from everybody's`);
    }
    const places = await Promise.all(some.rows.map((row) => placesOf(JSON.parse(row))));
    const named = places.filter((those) => those.length > 0);
    const outside = named.filter((those) => !those.some((place) => place.startsWith(INSIDE)));
    if (named.length > 0) placed += 1;
    if (outside.length > 0) faults.push(`${name}: ${outside.length} rows of ${outside[0]!.join()}`);
  }
  return { faults, placed };
}

/** What every export gives somebody of one region: the rows of his list and no others, nothing in full that the list masks. */
export async function exportFaults(app: TestApp, { country, local }: RegionReaders): Promise<string[]> {
  const calls = new Map(app.kernel.registry.calls.map((call) => [call.name, call]));
  const faults: string[] = [];
  for (const source of app.kernel.registry.exports) {
    const { name } = source.call;
    if (ARCHIVES.has(name) || OWN.has(name) || unlimited.has(name)) continue;
    const shown = calls.get(listOf(source.call));
    if (!shown) {
      faults.push(`${name}: no list ${listOf(source.call)}`);
      continue;
    }
    const window = { ...windowOf(source.call), ...(await parentInput(app, shown.name, country)) };
    const [all, some] = [await exported(app, source.call, country, window), await exported(app, source.call, local, window)];
    const listed = await list(app, shown, local, window);
    if (some.rows.length !== listed.total) faults.push(`${name}: ${some.rows.length} rows, the list has ${listed.total}`);
    if (unlimited.has(shown.name)) {
      if (all.rows.length !== some.rows.length) faults.push(`${name}: its list is not limited`);
    } else {
      if (some.rows.length >= all.rows.length && !MEETS_ALL.has(shown.name))
        faults.push(`${name}: ${some.rows.length} of ${all.rows.length} rows`);
      const texts = ({ rows }: typeof all) => rows.map((row) => row.join('\u0001'));
      if (surplus(texts(all), texts(some)).length > 0) faults.push(`${name}: rows differ from everybody's`);
    }
    const shownRows = listed.rows.map((row): Record<string, unknown> => JSON.parse(row));
    for (const [at, label] of some.head.entries()) {
      const key = source.columns.find((column) => column.label === label)?.key ?? '';
      const values = shownRows.flatMap((row) => (typeof row[key] === 'string' && row[key] !== '' ? [row[key]] : []));
      const inFull = (texts: readonly (string | undefined)[]) => texts.filter((text) => text !== '' && !text?.includes('*')).length;
      // Where a list masks some (patients) and shows others (doctors), so does the export: as many, no more.
      if (inFull(values) < values.length && inFull(some.rows.map((row) => row[at])) > inFull(values))
        faults.push(`${name}.${key}: in full what the list masks`);
    }
  }
  return faults;
}

/** Names in SECURITY.md that no call bears. */
export function unknownExceptions(app: TestApp): string[] {
  const names = new Set(app.kernel.registry.calls.map(({ name }) => name));
  return unlimited.size > 30 ? [...unlimited].filter((name) => !names.has(name)) : ['the section of SECURITY.md is not there'];
}
