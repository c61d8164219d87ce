import { sql } from 'kysely';
import { streamXlsxRows } from 'hucre';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  acceptBatchWarning,
  addInsuredBatch,
  auditInsuredBatch,
  excludeInsuredBatchRow,
  exportBatchResult,
  modifyInsuredBatchRow,
  queryInsuredBatchImpact,
  queryInsuredBatchList,
  queryInsuredBatchRowList,
  reparseInsuredBatch,
} from '../../contract/calls/batches.ts';
import { queryInsuredPersonList } from '../../contract/calls/persons.ts';
import { addPolicy } from '../../contract/calls/policies.ts';
import {
  addTemplate,
  downloadTemplate,
  modifyTemplate,
  queryTemplateList,
  removeTemplate,
  testTemplate,
} from '../../contract/calls/templates.ts';
import { findCover } from '../cover/live.ts';
import { certificate, itemOf, makeProduct, passed, policyWish } from '../testing/fixtures.ts';
import {
  applied,
  cellsOf,
  crowd,
  detailOf,
  handedIn,
  HEADERS,
  listColumns,
  listPerson,
  makeTemplate,
  parsed,
  templateWish,
  setListScene,
  uploadList,
  type ListScene,
} from '../testing/lists.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
let product: ListScene['product'];
let templateId: string;
let policy: ListScene['policy'];
let seen: ListScene['seen'];

beforeAll(async () => {
  app = await startTestApp();
  ({ maker, checker, product, templateId, policy, seen } = await setListScene(app));
});
afterAll(() => app.close());

const rowsOf = async (batchId: string, more: object = {}) =>
  (await app.ok(queryInsuredBatchRowList, { batchId, pageSize: 200, ...more }, { as: maker })).rows;
const use = (itemId: string, refType: 'CONTRACT' | 'CLAIM', state: string, from: string) =>
  sql`
  insert into policy_cover_use (ref_type, ref_id, ref_no, insured_item_id, policy_id, state, use_from, updated_at)
  select ${refType}, id::text || ${state}, ${refType === 'CLAIM' ? 'CL' : 'HT'} || id, id, policy_id, ${state}, ${from}::date, now()
  from policy_insured_item where id = ${itemId}`.execute(app.db);

describe('a template', () => {
  const elsewhere = async () => {
    const other = await makeProduct(app);
    expect(other.insurerId).not.toBe(product.insurerId);
    return (await app.ok(addPolicy, policyWish(other.productId), { as: maker })).id;
  };

  it('names each field once and those that are needed, is guessed by its headers, and downloaded', async () => {
    const refused = (more: object) => app.refused(addTemplate, templateWish(more), { as: maker });
    const viewer = await app.staff({ permissions: ['policy.batch.view'] });
    expect(await app.refused(addTemplate, templateWish(), { as: viewer })).toMatchObject({ code: 'SCM90010' });
    expect(await refused({ columns: [...listColumns, { target: 'department', headerAliases: [' 姓名*'] }] })).toMatchObject({
      code: 'SCM13030',
    });
    expect(await refused({ columns: [listColumns[2]!] })).toMatchObject({
      code: 'SCM13031',
      message: '模板缺少必填字段：姓名、证件号或工号',
    });
    const made = await app.ok(addTemplate, templateWish({ insurerId: product.insurerId, templateName: '众安清单' }), { as: maker });
    expect(await refused({ insurerId: product.insurerId, templateName: '众安清单' })).toMatchObject({
      fields: [{ path: 'templateName', message: '该保司下模板名称已存在' }],
    });
    const fileId = await uploadList(app, maker, [[...HEADERS, '备注'], cellsOf(listPerson('张3'))]);
    const tried = await app.ok(testTemplate, { fileId }, { as: maker });
    expect(tried).toMatchObject({
      missing: [],
      unknown: ['备注'],
      mapped: ['name', 'idNo', 'mobile', 'planCode', 'effectiveOn', 'leaveOn', 'op', null],
      rows: [{ rowNo: 2, faults: [{ header: '姓名', message: '姓名须为2-50个字符且不含数字' }] }],
    });
    // For a policy of another insurer its headers are compared with that insurer's templates and with everybody's alone.
    expect((await app.ok(testTemplate, { fileId, policyId: await elsewhere() }, { as: maker })).templateId).not.toBe(made.id);
    expect(await app.refused(testTemplate, { fileId }, { as: checker })).toMatchObject({ code: 'SCM90040' });
    const changed = await app.ok(
      modifyTemplate,
      {
        id: made.id,
        version: made.version,
        ...templateWish({ templateName: '众安清单二', columns: [...listColumns, { target: 'department', headerAliases: ['部门'] }] }),
      },
      { as: maker },
    );
    const { body } = await app.file(downloadTemplate, { templateId: made.id }, { as: viewer });
    const headers: unknown[] = [];
    for await (const row of streamXlsxRows(body, { maxRows: 1 })) headers.push(...row.values);
    expect(headers).toEqual(['*姓名', '*证件号码', '手机', '计划', '生效日', '退保日', '操作', '部门']);
    expect(await app.refused(removeTemplate, { id: made.id, version: made.version }, { as: maker })).toMatchObject({ code: 'SCM90030' });
    await app.ok(removeTemplate, { id: made.id, version: changed.version }, { as: maker });
    const { rows } = await app.ok(queryTemplateList, { templateName: '众安清单' }, { as: maker });
    expect(rows).toEqual([]);
  });
});

describe('a list that is read', () => {
  // policy.md acceptance 2
  it('is refused without its columns or its policy; its rows are counted as the sheet counts them', async () => {
    const { id: policyId } = await policy();
    const refused = async (rows: readonly (readonly string[])[], more: object = {}) =>
      app.refused(
        addInsuredBatch,
        { templateId, mode: 'ADD', policyIds: [policyId], fileId: await uploadList(app, maker, rows), ...more },
        { as: maker },
      );
    expect(await refused([['姓名', '手机']])).toMatchObject({ code: 'SCM13020', message: '缺少必填列：证件号码（读取的是工作表“清单”）' });
    expect(await refused([HEADERS], { policyIds: [] })).toMatchObject({ fields: [{ message: '清单没有保单号列，请选择一张保单' }] });
    const sheetTemplate = await makeTemplate(app, maker, { sheet: '人员', headerRow: 2 });
    const good = crowd(52);
    const bad = listPerson('张3', {
      idNo: `${good[0]!.idNo.slice(0, 17)}${good[0]!.idNo[17] === '0' ? '1' : '0'}`,
      effectiveOn: '2026-13-01',
    });
    const rows = [['某公司名单'], [...HEADERS], ...good.map(cellsOf), [], ['', ' '], cellsOf(bad), cellsOf(good[0]!)];
    const batch = await parsed(app, maker, [], { templateId: sheetTemplate, policyId, fileId: await uploadList(app, maker, rows, '人员') });
    expect(batch).toMatchObject({ state: 'HAS_ERROR', totalRows: 54, addRows: 52, errorRows: 2 });
    const errors = await rowsOf(batch.id, { result: ['ERROR'] });
    expect(errors.map((row) => [row.rowNo, row.errors.map(({ code, header }) => `${code} ${header}`)])).toEqual([
      [57, ['E03 姓名', 'E01 证件号码', 'E05 生效日']],
      [58, ['E09 证件号码']],
    ]);
    expect(errors[1]!.errors[0]!.message).toBe('与第3行重复');
    const { body } = await app.file(exportBatchResult, { batchId: batch.id, part: 'ALL' }, { as: maker });
    const lines = new Map<number, unknown[]>();
    for await (const row of streamXlsxRows(body)) lines.set(row.index + 1, [...row.values]);
    expect(lines.get(2)?.at(-1)).toBe('校验结果');
    expect(lines.get(57)?.at(-1)).toMatch(/^错误；E03 姓名须为2-50个字符且不含数字；E01 身份证号校验位不正确/);
    const viewer = await app.staff({ permissions: ['policy.batch.view'] });
    const masked = await app.file(exportBatchResult, { batchId: batch.id, part: 'ERROR' }, { as: viewer });
    expect(masked.body.includes(Buffer.from(bad.idNo))).toBe(false);
    // corrected in place and left out, it is whole
    const at = { batchId: batch.id, rowId: errors[0]!.id };
    const fixed = certificate('1990-05-12', 'M');
    expect(
      await app.refused(modifyInsuredBatchRow, { ...at, version: batch.version, values: { department: '研发' } }, { as: maker }),
    ).toMatchObject({
      fields: [{ message: '该列不在清单中' }],
    });
    const half = await app.ok(
      modifyInsuredBatchRow,
      { ...at, version: batch.version, values: { name: '张三', idNo: fixed, effectiveOn: '2026-12-01' } },
      { as: maker },
    );
    expect(half).toMatchObject({ state: 'HAS_ERROR', errorRows: 1, row: { result: 'ADD', rowNo: 57 } });
    expect(
      await app.refused(excludeInsuredBatchRow, { batchId: batch.id, version: batch.version, code: 'E09', note: '重复' }, { as: maker }),
    ).toMatchObject({
      code: 'SCM90030',
    });
    const whole = await app.ok(
      excludeInsuredBatchRow,
      { batchId: batch.id, version: half.version, code: 'E09', note: '重复登记' },
      { as: maker },
    );
    expect(whole).toMatchObject({ state: 'PREVIEW', errorRows: 0 });
    // an error again where the same certificate is entered twice
    const twice = await app.ok(modifyInsuredBatchRow, { ...at, version: whole.version, values: { idNo: good[1]!.idNo } }, { as: maker });
    expect(twice).toMatchObject({ state: 'HAS_ERROR', row: { result: 'ERROR', errors: [{ message: '与第4行重复' }] } });
    const again = await app.ok(reparseInsuredBatch, { batchId: batch.id, version: twice.version }, { as: maker });
    expect(again.state).toBe('PARSING');
    await app.runDue();
    expect(await detailOf(app, maker, batch)).toMatchObject({ state: 'HAS_ERROR', errorRows: 2, excludedRows: 0, totalRows: 54 });
  });

  // policy.md acceptance 10
  it('knows dependants, exclusive certificates of other names, paid and open claims', async () => {
    const { id: policyId } = await policy();
    const family = await makeTemplate(app, maker, {
      columns: [...listColumns, { target: 'relation', headerAliases: ['关系'] }, { target: 'mainIdNo', headerAliases: ['主被保人证件'] }],
    });
    const [main, child, orphan] = [listPerson('王志强'), listPerson('王小强'), listPerson('孤儿')];
    const rows = [
      [...HEADERS, '关系', '主被保人证件'],
      [...cellsOf(child), '子女', main.idNo],
      [...cellsOf(main), '本人', ''],
      [...cellsOf(orphan), '子女', certificate('1980-01-01', 'M')],
    ];
    const batch = await parsed(app, maker, [], { templateId: family, policyId, mode: 'ADD', fileId: await uploadList(app, maker, rows) });
    expect((await rowsOf(batch.id)).map((row) => [row.rowNo, row.result, row.errors[0]?.code])).toEqual([
      [2, 'ADD', undefined],
      [3, 'ADD', undefined],
      [4, 'ERROR', 'E12'],
    ]);
    const whole = await app.ok(
      excludeInsuredBatchRow,
      { batchId: batch.id, version: batch.version, code: 'E12', note: '无主被保人' },
      { as: maker },
    );
    expect(whole.state).toBe('PREVIEW');
    await handedIn(app, maker, batch);
    await app.runDue();
    expect(await detailOf(app, maker, batch)).toMatchObject({ state: 'APPLIED', appliedRows: 2, listsFresh: true });
    const { rows: persons } = await app.ok(queryInsuredPersonList, { policyId }, { as: maker });
    expect(persons.find(({ name }) => name === '王小强')).toMatchObject({ relation: 'CHILD', mainName: '王志强', state: 'PENDING' });
    const item = await itemOf(app, policyId, '王志强');
    await use(item, 'CLAIM', 'PAID', '2026-12-20');
    const gone = await parsed(app, maker, [{ ...main, leaveOn: '2026-12-10', op: '减' }], { templateId, policyId });
    expect(await rowsOf(gone.id)).toMatchObject([
      { result: 'ERROR', errors: [{ code: 'E15', message: `该被保人在2026-12-20有已赔付案件CL${item}，减员日不能早于该日` }] },
    ]);
    await use(item, 'CLAIM', 'OPEN', '2027-02-01');
    const leaves = await parsed(
      app,
      maker,
      [
        { ...main, leaveOn: '2026-12-31', op: '减' },
        { ...child, leaveOn: '2026-12-31', op: '减' },
      ],
      {
        templateId,
        policyId,
      },
    );
    const [warned] = await rowsOf(leaves.id);
    expect(warned).toMatchObject({ result: 'REMOVE', warnings: [{ code: 'W05' }] });
    const { impact, impactHash } = await app.ok(queryInsuredBatchImpact, { batchId: leaves.id }, { as: maker });
    expect(impact).toMatchObject({
      openClaims: [{ refNo: `CL${item}`, name: '王志强', day: '2027-02-01', reason: '购药日不在减员后的保障期间内' }],
      auditReasons: ['涉及1件在途理赔'],
      warnRows: 1,
    });
    const submit = { batchId: leaves.id, version: leaves.version, action: 'submit' as const, impactHash };
    expect(await app.refused(auditInsuredBatch, submit, { as: maker })).toMatchObject({ code: 'SCM13022', message: '还有1条提示未确认' });
    await app.ok(acceptBatchWarning, { batchId: leaves.id, version: leaves.version, what: 'CODE', code: 'W05' }, { as: maker });
    expect((await handedIn(app, maker, leaves)).state).toBe('PENDING_AUDIT');
  });
});

describe('a list that is handed in', () => {
  // policy.md acceptance 8, 11
  it('looked at before another endorsement came, it is looked at again; backdated too far, a second person passes it', async () => {
    const { id: policyId } = await policy();
    const people = [listPerson('周一', { effectiveOn: '2026-10-07' }), listPerson('吴二', { effectiveOn: '2026-11-20' })];
    const batch = await parsed(app, maker, people, { templateId, policyId, mode: 'ADD' });
    expect(batch).toMatchObject({ state: 'PREVIEW', backdatedRows: 2, warnRows: 1 });
    const accepted = await app.ok(
      acceptBatchWarning,
      { batchId: batch.id, version: batch.version, what: 'CODE', code: 'W01' },
      { as: maker },
    );
    const { impact, impactHash } = await app.ok(queryInsuredBatchImpact, { batchId: batch.id }, { as: maker });
    expect(impact).toMatchObject({ farBackdatedRows: 1, earliestDay: '2026-10-07', auditReasons: ['1行追溯超过30天'], stale: false });
    const submit = { batchId: batch.id, version: accepted.version, action: 'submit' as const, impactHash };
    expect(await app.refused(auditInsuredBatch, submit, { as: maker })).toMatchObject({ fields: [{ path: 'opinion' }] });
    const other = listPerson('插队');
    await passed(app, maker, checker, {
      policyId,
      kind: 'ADD',
      effectiveOn: '2026-12-01',
      after: { person: { name: other.name, idType: 'ID_CARD', idNo: other.idNo, gender: 'M', birthDate: '1990-05-12' }, planCode: 'P1' },
    });
    expect(await app.refused(auditInsuredBatch, { ...submit, opinion: '漏报' }, { as: maker })).toMatchObject({ code: 'SCM13024' });
    const again = await app.ok(reparseInsuredBatch, { batchId: batch.id, version: accepted.version }, { as: maker });
    await app.runDue();
    const ready = await app.ok(
      acceptBatchWarning,
      { batchId: batch.id, version: (await detailOf(app, maker, batch)).version, what: 'CODE', code: 'W01' },
      { as: maker },
    );
    expect(again.state).toBe('PARSING');
    const pending = await handedIn(app, maker, batch);
    expect(pending).toMatchObject({ state: 'PENDING_AUDIT', allowedActions: [] });
    const approve = { batchId: batch.id, version: pending.version, action: 'approve' as const, opinion: '同意' };
    expect(await app.refused(auditInsuredBatch, approve, { as: maker })).toMatchObject({ code: 'SCM13010' });
    expect(await app.refused(auditInsuredBatch, { ...approve, opinion: '' }, { as: checker })).toMatchObject({ code: 'SCM90020' });
    expect(await app.refused(auditInsuredBatch, { ...approve, version: ready.version }, { as: checker })).toMatchObject({
      code: 'SCM90030',
    });
    const rejected = await app.ok(auditInsuredBatch, { ...approve, action: 'reject', opinion: '请补充材料' }, { as: checker });
    expect(rejected.state).toBe('PREVIEW');
    const second = await handedIn(app, maker, batch);
    await app.ok(auditInsuredBatch, { ...approve, version: second.version }, { as: checker });
    expect(await seen(policyId)).toBe(1);
    await app.runDue();
    expect(await detailOf(app, maker, batch)).toMatchObject({ state: 'APPLIED', appliedRows: 2 });
    expect(await seen(policyId)).toBe(3);
    const item = await itemOf(app, policyId, '周一');
    expect(await findCover(app.db, { insuredItemId: item, day: '2026-10-07' })).toMatchObject({ planCode: 'P1' });
    const { rows } = await app.ok(queryInsuredBatchList, { batchNo: batch.batchNo }, { as: maker });
    expect(rows).toMatchObject([{ state: 'APPLIED', addRows: 2, policyCount: 1 }]);
  });

  // policy.md acceptance 5
  it('applied once, says nothing more; after a change by hand it proposes that row alone', async () => {
    const { id: policyId } = await policy();
    const people = [listPerson('郑一'), listPerson('郑二'), listPerson('郑三')];
    const fileId = await uploadList(app, maker, [HEADERS, ...people.map(cellsOf)]);
    const wish = { templateId, policyId, mode: 'ADD' as const };
    const first = await applied(app, maker, checker, [], { ...wish, fileId });
    expect(first.state).toBe('APPLIED');
    const copy = () => uploadList(app, maker, [HEADERS, ...people.map(cellsOf)]);
    const same = await parsed(app, maker, [], { ...wish, fileId });
    expect(same).toMatchObject({ state: 'PREVIEW', sameRows: 3, addRows: 0 });
    const none = { batchId: same.id, version: same.version, action: 'submit' as const, impactHash: 'x' };
    expect(await app.refused(auditInsuredBatch, none, { as: maker })).toMatchObject({ code: 'SCM13021' });
    const item = await itemOf(app, policyId, '郑二');
    await passed(app, maker, checker, {
      policyId,
      kind: 'PLAN',
      effectiveOn: '2026-12-15',
      after: { insuredItemIds: [item], planCode: 'P2' },
    });
    const rest = await parsed(app, maker, [], { ...wish, fileId });
    expect(rest).toMatchObject({ sameRows: 2, modifyRows: 1 });
    expect(await rowsOf(rest.id, { result: ['MODIFY'] })).toMatchObject([{ name: '郑二' }]);
    const { impactHash } = await app.ok(queryInsuredBatchImpact, { batchId: rest.id }, { as: maker });
    const submit = { batchId: rest.id, version: rest.version, action: 'submit' as const, impactHash };
    expect(await app.refused(auditInsuredBatch, submit, { as: maker })).toMatchObject({
      code: 'SCM13023',
      message: `该文件已在批次${first.batchNo}中生效，仅剩1处差异将生效，请确认`,
    });
    await app.ok(auditInsuredBatch, { ...submit, confirmRepeat: true }, { as: maker });
    await app.runDue();
    people[0] = { ...people[0]!, mobile: '13912345678' };
    const edited = await parsed(app, maker, [], { ...wish, fileId: await copy() });
    expect(edited).toMatchObject({ sameRows: 2, modifyRows: 1, premiumDeltaFen: '0' });
    expect(await rowsOf(edited.id, { result: ['MODIFY'] })).toMatchObject([{ name: '郑一' }]);
  });

  // policy.md acceptance 12
  it('a full list that misses many waits for a supervisor', async () => {
    const { id: policyId } = await policy();
    const people = crowd(100);
    await applied(app, maker, checker, people, { templateId, policyId, mode: 'INITIAL' });
    expect(await seen(policyId)).toBe(100);
    const full = await parsed(app, maker, people.slice(0, 74), { templateId, policyId, mode: 'FULL', defaultEffectiveOn: '2027-01-01' });
    expect(full).toMatchObject({
      state: 'HAS_ERROR',
      sameRows: 74,
      removeRows: 26,
      errorRows: 0,
      fault: '全量清单缺少26人（26%），请确认文件完整',
    });
    expect((await rowsOf(full.id, { result: ['REMOVE'] }))[0]).toMatchObject({
      rowNo: null,
      leaveOn: '2026-12-31',
      note: '清单中没有此人',
    });
    const operator = await app.staff({ permissions: ['policy.batch.view', 'policy.batch.import'] });
    const accept = { batchId: full.id, version: full.version, what: 'FAULT' as const };
    expect(await app.refused(acceptBatchWarning, accept, { as: operator })).toMatchObject({ code: 'SCM90010' });
    expect(await app.ok(acceptBatchWarning, accept, { as: checker })).toMatchObject({ state: 'PREVIEW' });
    expect((await handedIn(app, maker, full)).state).toBe('PENDING_AUDIT');
  });
});
