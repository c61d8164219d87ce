import { expect } from 'vitest';
import type { AnswerOf, InputOf } from '#kernel/contract/call.ts';
import { bufferOf, xlsxStream } from '#kernel/server/documents/xlsxStream.ts';
import type { Writing } from '#kernel/server/context.ts';
import { jobContext } from '#testing/jobContext.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadFile } from '#testing/uploads.ts';
import { addInsuredBatch, auditInsuredBatch, queryInsuredBatchDetail, queryInsuredBatchImpact } from '../../contract/calls/batches.ts';
import { queryInsuredPersonList } from '../../contract/calls/persons.ts';
import { addPolicy } from '../../contract/calls/policies.ts';
import { addTemplate } from '../../contract/calls/templates.ts';
import { POLICY_LIST } from '../../contract/purposes.ts';
import { certificate, keeper, makeProduct, policyWish, serial, serials } from './fixtures.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const HEADERS = ['姓名', '证件号码', '手机', '计划', '生效日', '退保日', '操作'] as const;

type TemplateWish = InputOf<typeof addTemplate>;
const column = (target: TemplateWish['columns'][number]['target'], header: string, more: object = {}) => ({
  target,
  headerAliases: [header],
  ...more,
});
/** Columns of a list as the tests write it. */
export const listColumns = [
  column('name', '姓名', { required: true }),
  column('idNo', '证件号码', { required: true, transforms: ['TRIM', 'HALF', 'UPPER'] }),
  column('mobile', '手机'),
  column('planCode', '计划'),
  column('effectiveOn', '生效日'),
  column('leaveOn', '退保日'),
  column('op', '操作'),
];
export const templateWish = (more: Partial<TemplateWish> = {}): TemplateWish => ({
  templateName: `清单${serial()}`,
  headerRow: 1,
  columns: listColumns,
  ...more,
});
export const makeTemplate = async (app: TestApp, as: TestStaff, more: Partial<TemplateWish> = {}): Promise<string> =>
  (await app.ok(addTemplate, templateWish(more), { as })).id;

export interface ListPerson {
  name: string;
  idNo: string;
  mobile?: string;
  planCode?: string;
  effectiveOn?: string;
  leaveOn?: string;
  op?: string;
}
export const listPerson = (name: string, more: Partial<ListPerson> = {}): ListPerson => ({
  name,
  idNo: certificate('1990-05-12', 'M'),
  planCode: 'P1',
  effectiveOn: '2026-12-01',
  ...more,
});
export const cellsOf = ({ name, idNo, mobile, planCode, effectiveOn, leaveOn, op }: ListPerson): string[] =>
  [name, idNo, mobile, planCode, effectiveOn, leaveOn, op].map((cell) => cell ?? '');

/** Many different persons. */
export const crowd = (count: number, more: Partial<ListPerson> = {}): ListPerson[] => {
  const from = serials(count);
  return Array.from({ length: count }, (_, at) => listPerson('张三', { idNo: certificate('1990-05-12', 'M', from + at), ...more }));
};

export async function uploadList(app: TestApp, as: TestStaff, rows: readonly (readonly string[])[], sheet = '清单'): Promise<string> {
  const text = (cells: readonly string[]) => cells.map((one) => ({ text: one }));
  const bytes = await bufferOf(
    xlsxStream([
      // the sheet of the template is not always the first one
      ...(sheet === '清单' ? [] : [{ name: '说明', widths: [20], rows: [text(['请按表填写'])] }]),
      { name: sheet, widths: [20], rows: rows.map(text) },
      { name: '字典', widths: [20], rows: [text(['P1', String(serial())])] },
    ]),
  );
  return uploadFile(app, as, POLICY_LIST, { fileName: `清单${serial()}.xlsx`, contentType: XLSX, bytes });
}

type BatchWish = InputOf<typeof addInsuredBatch>;
export interface ListWish extends Partial<Omit<BatchWish, 'templateId' | 'fileId'>> {
  templateId: string;
  policyId: string;
  fileId?: string;
}

/** A list that was uploaded and read. */
export async function parsed(app: TestApp, as: TestStaff, people: readonly ListPerson[], { policyId, ...wish }: ListWish) {
  const fileId = wish.fileId ?? (await uploadList(app, as, [HEADERS, ...people.map(cellsOf)]));
  const made = await app.ok(addInsuredBatch, { mode: 'MIXED', policyIds: [policyId], ...wish, fileId }, { as });
  await app.ok(auditInsuredBatch, { batchId: made.id, version: made.version, action: 'parse' }, { as });
  await app.runDue();
  return detailOf(app, as, made);
}

type Batch = { id: string };
export const detailOf = (app: TestApp, as: TestStaff, { id }: Batch) => app.ok(queryInsuredBatchDetail, { batchId: id }, { as });

/** Hands a list in as it stands, with the impact that it has now. */
export async function handedIn(
  app: TestApp,
  as: TestStaff,
  batch: Batch,
  more: Partial<InputOf<typeof auditInsuredBatch>> = {},
): Promise<AnswerOf<typeof auditInsuredBatch>> {
  const { version } = await detailOf(app, as, batch);
  const { impactHash } = await app.ok(queryInsuredBatchImpact, { batchId: batch.id }, { as });
  return app.ok(auditInsuredBatch, { batchId: batch.id, version, action: 'submit', impactHash, opinion: '按清单办理', ...more }, { as });
}

/** A list that took effect: passed by the checker where that is needed. */
export async function applied(app: TestApp, maker: TestStaff, checker: TestStaff, people: readonly ListPerson[], wish: ListWish) {
  const batch = await parsed(app, maker, people, wish);
  expect(batch).toMatchObject({ state: 'PREVIEW', failure: null });
  const { state, version } = await handedIn(app, maker, batch);
  if (state === 'PENDING_AUDIT')
    await app.ok(auditInsuredBatch, { batchId: batch.id, version, action: 'approve', opinion: '核对无误' }, { as: checker });
  await app.runDue();
  return detailOf(app, maker, batch);
}

/** Takes a list back as two persons do. */
export async function undone(app: TestApp, asker: TestStaff, confirmer: TestStaff, batch: Batch) {
  const { version } = await detailOf(app, asker, batch);
  const asked = await app.ok(auditInsuredBatch, { batchId: batch.id, version, action: 'askUndo', opinion: '名单有误' }, { as: asker });
  await app.ok(
    auditInsuredBatch,
    { batchId: batch.id, version: asked.version, action: 'undo', opinion: '确认撤销', confirmToken: asked.confirmToken ?? '' },
    { as: confirmer },
  );
  await app.runDue();
  return detailOf(app, asker, batch);
}

/** A worker that is killed before its transaction number `after` commits: it runs, and nothing of it stays. */
export function killed(app: TestApp, after: number) {
  let count = 0;
  return jobContext(app, {
    transaction: <T>(work: (writing: Writing) => Promise<T>): Promise<T> =>
      app.kernel.transactions.run('test', async (writing) => {
        const done = await work(writing);
        count += 1;
        if (count > after) throw new Error('the worker was killed');
        return done;
      }),
  });
}

/** Who makes and who passes lists, for policies of one product that are read by one template. */
export async function setListScene(app: TestApp) {
  const [maker, checker, product] = [await keeper(app), await keeper(app), await makeProduct(app)];
  return {
    maker,
    checker,
    product,
    templateId: await makeTemplate(app, maker),
    /** A policy that runs for a year from June on. */
    policy: async (more: Parameters<typeof policyWish>[1] = {}) =>
      app.ok(addPolicy, policyWish(product.productId, { coverageStart: '2026-06-01', coverageEnd: '2027-05-31', ...more }), {
        as: await keeper(app),
      }),
    /** How many persons of a policy are seen. */
    seen: async (policyId: string) => (await app.ok(queryInsuredPersonList, { policyId, pageSize: 1 }, { as: await keeper(app) })).total,
  };
}
export type ListScene = Awaited<ReturnType<typeof setListScene>>;
