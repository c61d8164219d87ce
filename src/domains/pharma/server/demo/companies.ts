import { sql } from 'kysely';
import { mask } from '#kernel/contract/masking.ts';
import { dayOf, plusDays, type Instant } from '#kernel/contract/time.ts';
import { nextNumber, nextSerial } from '#kernel/server/command/numbers.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import { usccOf } from '#kernel/contract/uscc.ts';
import { normName } from '../companies/saveCompany.ts';
import { ownTx } from '../database.ts';
import { stateByDate } from '../lines/lineRows.ts';
import { demoAreas, demoCompanies, demoFine, demoLines } from './catalogue.ts';
import { personName } from './people.ts';

export interface DemoCompanies {
  companyIds: string[];
  lineIds: string[];
  /** Leaf category by name. */
  leaves: Map<string, string>;
}

async function writeCategories(tx: Tx, now: Instant): Promise<Map<string, string>> {
  const own = ownTx(tx);
  const leaves = new Map<string, string>();
  const add = async (kind: 'THERAPY' | 'SHOP', parent: { id: string; path: string } | null, name: string, sort: number, depth: number) => {
    const { id } = await own
      .insertInto('pharmaCategory')
      .values({
        parentId: parent?.id ?? null,
        code: await nextSerial(tx, 'FL', 4),
        path: '',
        depth,
        name,
        sort,
        kind,
        state: 'ENABLED',
        createdAt: now,
        updatedAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const path = parent === null ? id : `${parent.path}.${id}`;
    await own.updateTable('pharmaCategory').set({ path }).where('id', '=', id).execute();
    return { id, path };
  };
  for (const [top, [area, groups]] of Object.entries(demoAreas).entries()) {
    const first = await add('THERAPY', null, area, top + 1, 1);
    for (const [middle, [group, names]] of Object.entries(groups).entries()) {
      const second = await add('THERAPY', first, group, middle + 1, 2);
      for (const [index, name] of names.entries()) {
        const third = await add('THERAPY', second, name, index + 1, 3);
        leaves.set(name, third.id);
        for (const [place, fine] of (demoFine[name] ?? []).entries())
          leaves.set(fine, (await add('THERAPY', third, fine, place + 1, 4)).id);
      }
    }
  }
  for (const [index, name] of ['肿瘤特药', '慢病续方', '家庭常备', '医疗器械', '营养保健'].entries()) {
    const shelf = await add('SHOP', null, name, index + 1, 1);
    for (const [place, child] of ['新品', '热销', '医保可报'].entries()) await add('SHOP', shelf, child, place + 1, 2);
  }
  return leaves;
}

export async function writeCompanies(tx: Tx, secrets: Secrets, now: Instant): Promise<DemoCompanies> {
  const own = ownTx(tx);
  const today = dayOf(now);
  const companyIds: string[] = [];
  for (const [index, [name, shortName, roles, country = 'CN']] of demoCompanies.entries()) {
    const first17 = `9132${String(1000 + index)}MA1X${String(10_000 + index * 37)}`;
    const mobile = `1380000${String(1000 + index)}`;
    const { id } = await own
      .insertInto('pharmaCompany')
      .values({
        companyNo: await nextNumber(tx, 'YQ', today),
        name,
        normName: normName(name),
        shortName,
        namePinyin: pinyinText(name),
        roles: [...roles],
        uscc: usccOf(first17),
        country,
        contactName: personName(index + 200),
        contactMobileCipher: secrets.encrypt(mobile),
        contactMobileMasked: mask('mobile', mobile),
        contactEmail: `contact${index + 1}@example.com`,
        address: `${['江苏省连云港市', '山东省济南市', '江苏省南京市', '河北省石家庄市', '江苏省泰州市'][index % 5]}科技路${index + 8}号`,
        // One company without a contact shows what is then refused.
        ...(index === 4
          ? {}
          : { pvName: personName(index + 230), pvEmail: `pv${index + 1}@example.com`, pvPhone: `021-6000${1000 + index}` }),
        licenceValidTo: plusDays(today, index === 3 ? 40 : 300 + index * 50),
        state: index === demoCompanies.length - 1 ? 'DISABLED' : 'ENABLED',
        createdAt: now,
        updatedAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    companyIds.push(id);
  }
  const lineIds: string[] = [];
  const { rows: managers } = await sql<{
    id: string;
  }>`select id from identity_staff_user where user_name in ('agent_ops', 'channel_sh', 'liming') order by id`.execute(tx);
  for (const [index, [company, name, therapyArea, from, to, stopped]] of demoLines.entries()) {
    const dates = { startDate: plusDays(today, from), endDate: plusDays(today, to) };
    const { id } = await own
      .insertInto('pharmaProductLine')
      .values({
        lineNo: await nextNumber(tx, 'CX', today),
        companyId: companyIds[company]!,
        name,
        therapyArea,
        ...dates,
        ownerUserId: managers[index % Math.max(1, managers.length)]?.id ?? null,
        state: stopped ? 'STOPPED' : stateByDate(dates, today),
        createdAt: now,
        updatedAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    lineIds.push(id);
  }
  return { companyIds, lineIds, leaves: await writeCategories(tx, now) };
}
