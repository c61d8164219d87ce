import { describe, expect, it } from 'vitest';
import { allWriters, unevenTables, writersIn } from './writers.ts';

/** Tables whose plain insertions cannot meet the others, and why. */
const REASONED: Readonly<Record<string, string>> = {
  card_grant: 'keys by source: contracts may come twice, a form has none, an import goes chunk by chunk under its own row',
  card_lot: 'a new lot has a new id of the ledger; only a move writes one again',
  channel_vip_member: 'under the lock of the VIP, after a look',
  channel_vip_usage: 'reserved under the lock of the VIP, after a look; released once by the key',
  consultation_guidance_desk: 'a form answers what is taken by name or code',
  consultation_im_connection: 'a socket has an id of its own; bots renew theirs',
  consultation_im_conversation: 'groups have ids of their own; single chats are one for a pair',
  content_mark_binding: 'under the lock of the group, after a look',
  corpus_preview_touch: 'written once by the run that owns the preview; a replay goes on where it was',
  doctor_attribution: 'a change of a person is carried out once, after the live one was ended under its lock',
  doctor_practice: 'under the lock of the doctor, after those of both hospitals were taken away',
  identity_menu: 'a form’s entry has no route that the catalogue would bring',
  identity_notice: 'announcements have no business key',
  identity_role_menu: 'under the lock of the role, after all were taken away',
  identity_role_permission: 'under the lock of the role, after all were taken away',
  insurance_rule_test_case: 'a form’s case has a number of its own; a copied product is new',
  kernel_failed_job: 'a job of the queue has an id of its own; one that repeats itself has one row while it fails',
  ledger_lot: 'a transfer’s lots are new; a replaced account takes its lots over once',
  patient_diagnosis: 'a form’s diagnosis has no source; those of consultations are one for source and code',
  patient_merge: 'a form answers under the locks of both persons; a proposal may be there already',
  policy_cover_supersede: 'an endorsement ends what it locked; a batch goes on where it was',
  policy_insured_item: 'an endorsement’s persons are new; a batch goes on where it was',
  policy_premium_allocation: 'under the locks of receipt and order; the other one takes back, once by its key',
  policy_premium_receipt: 'an importer looks for the numbers again in the transaction that writes them',
  settlement_program_change: 'a form asks under the lock of the programme, which may have one open change',
  settlement_program_fact: 'an event’s fact is one by its source; a file’s facts wait under their change, each by its receipt number',
};

describe('writers of one table', () => {
  it('are told apart', () => {
    const source =
      "await db.insertInto('aTable').values(x).onConflict((c) => c.doNothing()).execute();\nsql`insert into a_table (x) values (1)`";
    expect(writersIn(source, 'f.ts')).toEqual([
      { table: 'a_table', place: 'f.ts:1', hasConflictClause: true },
      { table: 'a_table', place: 'f.ts:2', hasConflictClause: false },
    ]);
    expect([...unevenTables(writersIn(source, 'f.ts')).keys()]).toEqual(['a_table']);
  });

  it('all expect that the other one was sooner, or have a reason why it cannot', () => {
    const uneven = unevenTables(allWriters('src'));
    expect([...uneven.keys()].filter((table) => !(table in REASONED))).toEqual([]);
    expect(Object.keys(REASONED).filter((table) => !uneven.has(table))).toEqual([]);
  });
});
