import type { InputOf } from '#kernel/contract/call.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import type { addServiceItem } from '#domains/doctor/contract/calls/items.ts';
import { makeOffer, payBySimulator, signed } from '#domains/doctor/server/testing/orders.ts';
import { bound, makeAssistant } from '#domains/doctor/server/testing/staffing.ts';
import { bindAccount } from '#domains/patient/contract/calls/intranet.ts';
import { freshMobile, makePatient } from '#domains/patient/server/testing/fixtures.ts';
import { queryInquiryDetail, addInquiry } from '../../contract/calls/inquiry.ts';
import { modifyDutyState } from '../../contract/calls/queue.ts';
import { messageTypes, type MessagePayload } from '../../contract/im/types.ts';
import { own } from '../database.ts';
import { imEngine } from '../im/engine.ts';
import { isRefused, type Outcome } from '../im/messages/sending.ts';

let serial = 70_000;
const next = () => (serial += 1);

export interface Colleague {
  staff: TestStaff;
  assistantId: string;
  imUserId: string;
}

const EVER = '2099-01-01T00:00:00.000Z';
/** An assistant with a login, on duty unless told otherwise. `leaves`: without a connection he is lost after three minutes. */
export async function makeColleague(
  app: TestApp,
  wish: { on?: boolean; lead?: boolean; max?: number; leaves?: boolean } = {},
): Promise<Colleague> {
  const staff = await app.staff({ role: wish.lead ? 'ASSISTANT_LEAD' : 'ASSISTANT' });
  const assistantId = await makeAssistant(app, { userId: staff.userId });
  await app.runDue();
  if (wish.on ?? true) await app.ok(modifyDutyState, { state: 'ON' }, { as: staff });
  // He need not be connected to be there, however far a test moves the clock.
  const duty = await own(app.db)
    .updateTable('consultationAssistantDuty')
    .set({ maxConcurrent: wish.max ?? 20, ...(!wish.leaves && { lastConnectedAt: EVER }) })
    .where('assistantId', '=', assistantId)
    .returning('operatorId')
    .executeTakeFirstOrThrow();
  return { staff, assistantId, imUserId: `A${duty.operatorId}` };
}

export interface Sufferer {
  patientId: string;
  operatorId: string;
  name: string;
}
/** A patient with an account. */
export async function makeSufferer(app: TestApp): Promise<Sufferer> {
  const { id: patientId, name } = await makePatient(app);
  const operatorId = String(next());
  await signed(app, bindAccount, {
    externalRequestNo: `bind-${operatorId}`,
    operatorId,
    mobile: freshMobile(),
    nick: name,
    patientId,
    relation: 'SELF',
    isDefault: true,
  });
  return { patientId, operatorId, name };
}

export interface Practice {
  primary: Colleague;
  openingId: string;
  doctorId: string;
}
type ItemChange = Partial<InputOf<typeof addServiceItem>>;
/** A doctor who sells one item, with his primary assistant on duty. */
export async function makePractice(app: TestApp, item: ItemChange = {}, primary?: Colleague): Promise<Practice> {
  const colleague = primary ?? (await makeColleague(app));
  const { openingId, doctorId } = await makeOffer(app, item);
  await bound(app, colleague.assistantId, [doctorId]);
  await app.runDue();
  return { primary: colleague, openingId, doctorId };
}

export interface Served extends Practice {
  sufferer: Sufferer;
  serverId: string;
  groupId: string;
}
/** An inquiry bought and paid: it waits for the doctor, the primary assistant owns its group. */
export async function makeInquiry(
  app: TestApp,
  wish: { practice?: Practice; item?: ItemChange; sufferer?: Sufferer } = {},
): Promise<Served> {
  const practice = wish.practice ?? (await makePractice(app, wish.item));
  const sufferer = wish.sufferer ?? (await makeSufferer(app));
  const made = await app.ok(
    addInquiry,
    { suffererOperatorId: sufferer.operatorId, openingId: practice.openingId, source: 'STAFF', chiefComplaint: '咳嗽两周，夜间加重' },
    { as: practice.primary.staff, idempotencyKey: `inquiry-${next()}` },
  );
  await payBySimulator(app, made.payUrl ?? '');
  await app.runDue();
  const row = await own(app.db)
    .selectFrom('consultationInquiry')
    .select('groupId')
    .where('id', '=', made.serverId)
    .executeTakeFirstOrThrow();
  return { ...practice, sufferer, serverId: made.serverId, groupId: row.groupId ?? '' };
}

export const detailOf = (app: TestApp, served: Pick<Served, 'groupId' | 'primary'>) =>
  app.ok(queryInquiryDetail, { groupId: served.groupId }, { as: served.primary.staff });
export const groupRowOf = (app: TestApp, groupId: string) =>
  own(app.db).selectFrom('consultationMedicalGroup').selectAll().where('groupId', '=', groupId).executeTakeFirstOrThrow();

/** Somebody says something, as the chat stores it; what it causes is done too. */
export async function say(app: TestApp, groupId: string, senderId: string, text: string): Promise<Outcome> {
  const { convId } = await groupRowOf(app, groupId);
  const payload: MessagePayload = { text };
  const outcome = await imEngine(app.kernel).queue.add({
    convId,
    senderId,
    clientMsgId: crypto.randomUUID(),
    type: messageTypes.TEXT,
    payload,
    cloudCustomData: '',
    atUserList: [],
    quoteSeq: null,
    needReadReceipt: false,
    countsUnread: true,
    origin: 'HUMAN',
    sourceRef: null,
  });
  await app.runDue();
  return outcome;
}
export const refusedText = (outcome: Outcome): string | null => (isRefused(outcome) ? outcome.message : null);
export const doctorUser = async (app: TestApp, groupId: string) => `D${(await groupRowOf(app, groupId)).doctorOperatorId}`;
