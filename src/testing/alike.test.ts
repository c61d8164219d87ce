import { afterAll, beforeAll, expect, it } from 'vitest';
import { toJSONSchema } from 'zod/mini';
import { modifyDutyState } from '#domains/consultation/contract/calls/queue.ts';
import { makeAssistant } from '#domains/doctor/server/testing/staffing.ts';
import type { Call } from '#kernel/contract/call.ts';
import { permissionCodesOf } from '#kernel/server/registry.ts';
import { allCases } from './allCases.ts';
import type { TestStaff } from './staff.ts';
import { startTestApp, type TestApp } from './testApp.ts';

// What somebody may not see is answered exactly like what is not there: generated from the call table, as somebody with every right in
// a region where no fixture lies.
const ELSEWHERE = '540000';
const MISSING = '999999999';

/** Calls that answer a foreign record otherwise, each with the reason. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'OrderService/auditRx': 'orders lie in no region; who reads a prescription, the list says too',
  'OrderService/heartbeatRx': 'orders lie in no region; who reads a prescription, the list says too',
  'OrderService/releaseRx': 'orders lie in no region; who reads a prescription, the list says too',
  'OrderExceptionService/resolveException': 'orders lie in no region; who has an exception, the list says too',
  'OrderExceptionService/transferException': 'orders lie in no region; who has an exception, the list says too',
  'AssistantService/batchTransferAssistant': 'assistants lie in no region; of their doctors it moves those whom the caller sees, here none',
  'ClaimRuleService/cancelReplay': 'rules lie in no region; who started a replay, its list says too',
  'CardFundService/auditFundPrepay': 'cards lie in no region; who registered a payment, its list says too',
  'CardService/withdrawCardChange': 'cards lie in no region; whose request it is, its list says too',
  'CardSettlementService/confirmBill': 'cards lie in no region; the letter that the input names is another person’s',
  'ContractPayService/auditContractRefund': 'enrolment lies in no region; the paper that the input names is another person’s',
  'ContractPayService/registerOfflinePay': 'enrolment lies in no region; the paper that the input names is another person’s',
  'ContractSignCheckService/auditSignContract': 'enrolment lies in no region; who holds one, its list says too',
  'ContractSignCheckService/heartbeatSignContract': 'enrolment lies in no region; who holds one, its list says too',
  'ContractSignCheckService/releaseSignContract': 'enrolment lies in no region; who holds one, its list says too',
  'ContractSignCheckService/saveSignContractWork': 'enrolment lies in no region; who holds one, its list says too',
  'ContractSignService/signContractOnPaper': 'enrolment lies in no region; the paper that the input names is another person’s',
  'ContractSignService/supplySignContract': 'enrolment lies in no region; the papers that the input names are another person’s',
  'HmoService/delSpecialUser': 'enrolment lies in no region; whose mark it is, its list says too',
  'OtherMaterialService/auditOtherMaterial': 'enrolment lies in no region; who holds one, its list says too',
  'OtherMaterialService/heartbeatOtherMaterial': 'enrolment lies in no region; who holds one, its list says too',
  'OtherMaterialService/releaseOtherMaterial': 'enrolment lies in no region; who holds one, its list says too',
  'OtherMaterialService/saveOtherMaterialWork': 'enrolment lies in no region; who holds one, its list says too',
  'OtherMaterialService/supplyOtherMaterial': 'enrolment lies in no region; the papers that the input names are another person’s',
  'DrugService/withdrawMedicineApply': 'the catalogue lies in no region; whose application it is, its list says too',
  'LedgerService/cancelLedgerAdjustment': 'books lie in no region; whose adjustment it is, its list says too',
  'LedgerService/modifyLedgerAdjustment': 'books lie in no region; whose adjustment it is, its list says too',
  'LedgerService/submitLedgerAdjustment': 'books lie in no region; whose adjustment it is, its list says too',
  'PolicyService/modifyEndorsement': 'policies lie in no region; whose draft it is, its list says too',
  'PremiumOrderService/auditPremiumOrder': 'policies lie in no region; who holds an order for its check, its detail says too',
  'PremiumOrderService/heartbeatPremiumOrder': 'policies lie in no region; who holds an order for its check, its detail says too',
  'PremiumOrderService/releasePremiumOrder': 'policies lie in no region; who holds an order for its check, its detail says too',
  'ProductLineService/renewProductLine': 'the catalogue lies in no region; the papers that the input names are another person’s',
  'IncentiveService/modifyIncentiveProgram': 'programmes lie in no region; the list shows each to whoever may edit them',
  'IncomeService/cancelIncomeAdjust': 'doctors’ incomes lie in no region; whose adjustment it is, its list says too',
  'PerformanceService/withdrawPerfChange': 'who looks after whom lies in no region; whose request it is, its list says too',
  'PayoutService/markPayoutItem': 'payouts lie in no region; the paper that the input names is another person’s',
  'InquiryService/auditInquiry': 'a supervisor of the chat reads every conversation',
  'GroupNoteService/modifyGroupNote': 'a supervisor of the chat reads every conversation',
};
/** Emergency access (SECURITY.md): whoever knows a patient's id is told that he may ask for it. */
const EMERGENCY = 'SCM09001';
const EMPTY_EXPORT = 'SCM02020';
/** Every call there is, each several times. */
const PATIENCE = 400_000;

let app: TestApp;
let stranger: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  const permissions = app.kernel.registry.permissions.map(({ code }) => code);
  stranger = await app.staff({ permissions, scope: { region: [ELSEWHERE] }, confirmed: true });
  await makeAssistant(app, { userId: stranger.userId });
  await app.runDue();
  await app.ok(modifyDutyState, { state: 'ON' }, { as: stranger });
});
afterAll(() => app.close());

/** Texts of digits that name no record. */
const NO_RECORD = new Set(['adcode', 'smsCode', 'mobile', 'uscc']);

/** The input as often as it holds an id, each time with that one replaced by an id of nothing. */
function withoutRecord(input: unknown): unknown[] {
  if (Array.isArray(input))
    return input.flatMap((item, at) => withoutRecord(item).map((changed) => input.map((other, place) => (place === at ? changed : other))));
  if (typeof input === 'object' && input !== null)
    return Object.entries(input)
      .filter(([key]) => !NO_RECORD.has(key))
      .flatMap(([key, value]) => withoutRecord(value).map((changed) => ({ ...input, [key]: changed })));
  const id = typeof input === 'string' ? /^((?:GROUP)?YH|C2C[PDA]|[PDA])?[1-9]\d{0,18}$/.exec(input) : null;
  return id ? [`${id[1] ?? ''}${MISSING}`] : [];
}

/**
 * The same wish with an outdated version, and every other act on the same record: neither may answer sooner than the record is looked
 * for.
 */
function otherWishes(call: Call, input: { version?: unknown; action?: unknown }): object[] {
  const shape: { properties?: Record<string, { enum?: unknown[] }> } = JSON.parse(
    JSON.stringify(toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' })),
  );
  const actions = shape.properties?.['action']?.enum ?? [];
  return [
    ...('version' in input ? [{ ...input, version: 77 }] : []),
    ...actions
      .filter((action) => action !== input.action)
      .map((action) => ({ ...input, action, ...('opinion' in (shape.properties ?? {}) ? { opinion: '另行处理' } : {}) })),
  ];
}

it(
  'answers a record of another place like one that is not there',
  async () => {
    const faults: string[] = [];
    let [hidden, attempt] = [0, 0];
    for (const entry of allCases.filter(({ call }) => !['public', 'signed', 'participant'].includes(call.access.kind))) {
      const { call } = entry;
      const owner = await app.staff(entry.as ?? { permissions: permissionCodesOf(call) });
      await entry.prepare?.(app, owner);
      const input = { ...((await entry.valid(app, owner)) as object) };
      const ask = async (body: unknown) => {
        const { envelope } = await app.send(call, body, { as: stranger, idempotencyKey: `from-elsewhere-${(attempt += 1)}` });
        return { code: envelope.code, text: JSON.stringify({ ...envelope, traceId: undefined }) };
      };
      const answer = await ask(input);
      if (['0000000', EMPTY_EXPORT, EMERGENCY].includes(answer.code) || call.name in OTHERWISE) continue;
      const missing: string[] = [];
      for (const body of withoutRecord(input)) missing.push((await ask(body)).text);
      if (missing.length === 0) continue;
      hidden += 1;
      if (!missing.includes(answer.text))
        faults.push(`${call.name}: ${answer.text}, of a missing one ${missing.join(' or ')} ${JSON.stringify(input)}`);
      for (const wish of otherWishes(call, input)) {
        const { text } = await ask(wish);
        if (text !== answer.text) faults.push(`${call.name}: ${text} to ${JSON.stringify(wish)}`);
      }
    }
    expect(faults).toEqual([]);
    expect(hidden).toBeGreaterThan(120);
  },
  PATIENCE,
);
