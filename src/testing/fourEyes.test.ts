import { describe, expect, it } from 'vitest';
import { machinesOfContracts } from './machinesOfContracts.ts';

/** Acts that read like a decision and are one person's, each with its reason. */
const ALONE: Readonly<Record<string, string>> = {
  'card.batch reject': 'lets nothing pass: whoever handed it in may take it back so',
  'card.batch rejectSecond': 'lets nothing pass: whoever handed it in may take it back so',
  'card.grant reject': 'lets nothing pass: whoever handed it in may take it back so',
  'card.grant rejectSecond': 'lets nothing pass: whoever handed it in may take it back so',
  'card.settlementBill confirm': 'the other side agrees to what was audited with its batch',
  'doctor.serviceConfig publish': 'a setting that one person answers for: each version is kept, and can be withdrawn before it holds',
  'doctor.serviceOpening approve': 'the decision of its application (doctor.openingApply), never an act of its own',
  'doctor.serviceOpening reject': 'the decision of its application (doctor.openingApply), never an act of its own',
  'enrolment.apply prefer': 'says who takes it first, decides nothing',
  'enrolment.apply revokeApproval': 'takes back what was passed; supervisors only',
  'order.afterSale confirmCounter': 'says that the counter gave the cash back which another person passed',
  'order.afterSale inspectFail': 'looks at what was sent back, after another person passed the return',
  'order.afterSale inspectPass': 'looks at what was sent back, after another person passed the return',
  'order.fulfilment confirmCancel': 'says what the supplier answered',
  'order.fulfilment reject': 'says what the supplier answered',
  'order.order failRx': 'a pharmacist’s word on a buyer’s prescription: no colleague wrote it',
  'order.order passRx': 'a pharmacist’s word on a buyer’s prescription: no colleague wrote it',
  'identity.notice publish': 'tells colleagues something, lets nothing pass',
  'institution.hospitalMerge undo': 'takes back what two persons did; supervisors only',
  'patient.merge reject': 'lets nothing pass: whoever asked may take it back so',
  'patient.merge undo': 'takes back what two persons did',
  'patient.realName manualPass': 'its own check: each request has one writer, who is refused (SCM09014)',
  'patient.realName manualReject': 'its own check: each request has one writer, who is refused (SCM09014)',
  'pharma.adverseReport forward': 'sends a report on to its company, decides nothing',
  'policy.batch undo': 'its own check: not by whoever asked for it (SCM13010), and nobody changes what was asked',
  'policy.endorsement undo': 'takes back what two persons did; its own check: not by its maker (SCM13010)',
};

const DECIDES =
  /^(approve|reject|audit|forward|passOn|secondApprove|secondReject|recheck(Pass|Return|Reject)|confirm|publish|check|manual|undo$)/;
const SAYS = /(审核|复核|审批|通过|驳回|批准|同意|核对)/;

describe('four eyes', () => {
  it('are asked for by every act that decides about what another person wrote, or the act is named with its reason', async () => {
    const all = await machinesOfContracts();
    expect(all.length).toBeGreaterThan(80);
    const acts = all.flatMap((machine) =>
      Object.entries(machine.transitions)
        .filter(([action, { permission, label }]) => {
          if (permission === 'system' || permission === 'session') return false;
          return DECIDES.test(action) || (SAYS.test(label) && !label.startsWith('提交'));
        })
        .map(([action, { otherThan }]) => ({ act: `${machine.name} ${action}`, declared: otherThan !== undefined })),
    );
    expect(acts.filter(({ declared }) => declared).length).toBeGreaterThan(60);
    expect(
      acts
        .filter(({ declared }) => !declared)
        .map(({ act }) => act)
        .sort(),
    ).toEqual(Object.keys(ALONE).sort());
  });
});
