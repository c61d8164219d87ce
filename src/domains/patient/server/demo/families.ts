import { days, hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { bulk, reserve, type Random } from '#kernel/server/demo/bulk.ts';
import { mobileColumns } from '../sensitive.ts';
import { ACCOUNTS, STORY, type DemoPerson } from './cast.ts';

/** Where the head of the family stands to whom he names. */
const inverse = { SPOUSE: 'SPOUSE', PARENT: 'CHILD', CHILD: 'PARENT' } as const;

/** 900 accounts, 140 of them with relatives, who are named as contacts too. */
export async function writeAccounts(tx: Tx, secrets: Secrets, people: readonly DemoPerson[], now: Instant, random: Random): Promise<void> {
  const accounts: Record<string, unknown>[] = [];
  const links: Record<string, unknown>[] = [];
  const contacts: Record<string, unknown>[] = [];
  const relatives = Map.groupBy(
    people.filter(({ kin }) => kin !== null),
    ({ kin }) => kin!.owner,
  );
  const contact = (of: DemoPerson, whom: Pick<DemoPerson, 'name' | 'mobile'>, relation: string, isGuardian = false) => {
    const { mobileCipher, mobileMasked } = mobileColumns(secrets, whom.mobile);
    contacts.push({
      patientId: of.id,
      name: whom.name,
      relation,
      mobileCipher,
      mobileMasked,
      idNoCipher: null,
      idNoMasked: null,
      isGuardian,
      proofFileId: null,
      version: 1,
      createdAt: of.createdAt,
      createdBy: null,
      updatedAt: of.createdAt,
      updatedBy: null,
    });
  };
  people.slice(0, ACCOUNTS).forEach((person, index) => {
    const operatorId = String(50_001 + index);
    const kin = relatives.get(index) ?? [];
    // A child has no login: his father's shows him first.
    const holder = index === STORY.child ? kin[0]! : person;
    const { mobileCipher, mobileHash, mobileMasked } = mobileColumns(secrets, holder.mobile);
    const lastLoginAt = plusMs(now, -Math.min(days(random.int(0, 90)) + hours(1), Date.parse(now) - Date.parse(person.createdAt)));
    accounts.push({
      operatorId,
      mobileCipher,
      mobileHash,
      mobileMasked,
      nick: holder.name.slice(0, 1) + (holder.gender === 1 ? '先生' : '女士'),
      avatarFileId: null,
      openIds: [],
      state: person.state === 'FROZEN' ? 'FROZEN' : 'ACTIVE',
      lastLoginAt: lastLoginAt > person.until ? person.until : lastLoginAt,
      version: 1,
      createdAt: person.createdAt,
      updatedAt: person.createdAt,
    });
    const link = (whom: DemoPerson, relation: string, isDefault: boolean) =>
      links.push({
        operatorId,
        patientId: whom.id,
        relation,
        isDefault,
        addedAt: whom.createdAt > person.createdAt ? whom.createdAt : person.createdAt,
        removedAt: null,
      });
    if (holder !== person) {
      link(person, 'CHILD', true);
      link(holder, 'SELF', false);
      contact(person, holder, 'PARENT', true);
      return;
    }
    link(person, 'SELF', true);
    for (const one of kin) {
      link(one, one.kin!.bond, false);
      contact(person, one, one.kin!.bond);
      contact(one, person, inverse[one.kin!.bond]);
    }
  });
  contact(people[STORY.zhang]!, { name: '王桂芝', mobile: '19900099001' }, 'SPOUSE');
  await bulk(tx, 'patient_account', accounts);
  for (const [table, rows] of [
    ['patient_account_person', links],
    ['patient_contact_person', contacts],
  ] as const) {
    const ids = await reserve(tx, table, rows.length);
    await bulk(
      tx,
      table,
      rows.map((row, index) => ({ id: ids[index], ...row })),
    );
  }
}
