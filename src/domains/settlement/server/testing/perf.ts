import type { InputOf } from '#kernel/contract/call.ts';
import { plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { makeAgent, makeCompany, makeLine } from '#domains/pharma/server/testing/fixtures.ts';
import { addPerfChange, auditPerfChange, queryPerfChangeDetail, submitPerfChange } from '../../contract/calls/perfChanges.ts';
import { queryPerfRelationTimeline } from '../../contract/calls/perfRelations.ts';
import { keeper, newDoctor } from './fixtures.ts';

type Input = InputOf<typeof addPerfChange>;
export const passed = { decision: 'approve' as const, opinion: '与区域分工一致' };

/** A company with a product line and representatives who serve it. */
export async function makeField(app: TestApp, agents = 2) {
  const { id: companyId } = await makeCompany(app);
  const { id: productLineId } = await makeLine(app, companyId);
  const people = [];
  for (let n = 0; n < agents; n += 1) people.push(await makeAgent(app, companyId, productLineId));
  return { companyId, productLineId, agents: people };
}
export type Field = Awaited<ReturnType<typeof makeField>>;

export const bindInput = (app: TestApp, field: Field, doctorId: string, change: Partial<Input> = {}): Input => ({
  changeType: 'BIND',
  toAgentId: field.agents[0]!.id,
  effectiveDate: app.clock.today(),
  reasonCode: 'NEW_DOCTOR',
  reason: '新增医生',
  items: [{ doctorId, productLineId: field.productLineId }],
  ...change,
});

export async function draftChange(app: TestApp, change: Partial<Input> = {}, known: { field?: Field; doctorId?: string } = {}) {
  const field = known.field ?? (await makeField(app));
  const doctorId = known.doctorId ?? (await newDoctor(app));
  const maker = await keeper(app);
  const { id, version } = await app.ok(addPerfChange, bindInput(app, field, doctorId, change), { as: maker });
  return { id, version, maker, doctorId, field };
}
export async function submittedChange(app: TestApp, ...wish: [change?: Partial<Input>, known?: { field?: Field; doctorId?: string }]) {
  const { id, version, ...rest } = await draftChange(app, ...wish);
  const submitted = await app.ok(submitPerfChange, { id, version }, { as: rest.maker });
  return { id, version: submitted.version, ...rest };
}
/** A request that was passed, and who passed it. */
export async function passedChange(app: TestApp, ...wish: [change?: Partial<Input>, known?: { field?: Field; doctorId?: string }]) {
  const { id, version, ...rest } = await submittedChange(app, ...wish);
  const checker = await keeper(app);
  const { version: passedVersion, state } = await app.ok(auditPerfChange, { id, version, ...passed }, { as: checker });
  await app.runDue();
  return { id, version: passedVersion, state, checker, ...rest };
}
/** The second representative takes over from the first one. */
export const rebind = (app: TestApp, field: Field, days: number): Partial<Input> => ({
  changeType: 'REBIND',
  fromAgentId: field.agents[0]!.id,
  toAgentId: field.agents[1]!.id,
  effectiveDate: plusDays(app.clock.today(), days),
  reasonCode: 'AREA_CHANGE',
  reason: '辖区调整',
});

/** The relations of a doctor, as the page shows them. */
export const relationsOf = async (app: TestApp, as: TestStaff, doctorId: string) =>
  (await app.ok(queryPerfRelationTimeline, { doctorId }, { as })).relations.map(({ agentName, startDate, endDate, state }) => [
    agentName,
    startDate,
    endDate,
    state,
  ]);
export const changeDetail = (app: TestApp, as: TestStaff, id: string) => app.ok(queryPerfChangeDetail, { id }, { as });
