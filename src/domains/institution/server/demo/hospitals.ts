import { dayOf, days, plusMs } from '#kernel/contract/time.ts';
import { nextNumber, nextNumbers } from '#kernel/server/command/numbers.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import type { Tx } from '#kernel/server/context.ts';
import { usccOf } from '#kernel/contract/uscc.ts';
import type { HospitalFacts } from '../../contract/hospitalCalls.ts';
import { ownTx } from '../database.ts';
import { refreshPairs } from '../hospitals/candidates.ts';
import type { Source } from '../hospitals/save.ts';
import { blankFacts, derive, factsOf } from '../hospitals/facts.ts';
import { requirePlace } from '../regions.ts';
import { writeMerges, type DemoPair } from './merges.ts';
import { demoCities, demoDepartments, demoKinds, demoStreets } from './names.ts';

export interface DemoHospital {
  id: string;
  name: string;
  cityAdcode: string;
  adcode: string;
}
/** Pairs that wait for somebody, and pairs that are merged. */
const TWINS = 18;
const MERGES = 5;
let serial = 0;
/** Spread that is the same in every demonstration. */
const spread = (seed: number, width: number) => ((Math.abs(Math.sin(seed * 12.9898) * 43_758.5453) % 1) - 0.5) * width;

function factsFor(cityIndex: number, kindIndex: number): HospitalFacts {
  const city = demoCities[cityIndex]!;
  const [end, kind, level] = demoKinds[kindIndex]!;
  serial += 1;
  const located = kindIndex % 7 !== 6;
  const complete = kindIndex % 6 !== 5;
  return {
    ...blankFacts,
    name: `${city.city}${end}`,
    kind,
    level,
    ownership: kindIndex % 9 === 8 ? 'PRIVATE' : kindIndex === 2 && cityIndex === 3 ? 'MILITARY' : 'PUBLIC',
    adcode: city.districts[kindIndex % city.districts.length]!,
    address: `${demoStreets[kindIndex % demoStreets.length]}${kindIndex * 12 + 8}号`,
    lngE6: located ? Math.round((city.lng + spread(serial, 0.16)) * 1e6) : null,
    latE6: located ? Math.round((city.lat + spread(serial + 500, 0.12)) * 1e6) : null,
    uscc: complete ? usccOf(`12${city.districts[0]!.slice(0, 4)}00${String(400_000_000 + serial).padStart(9, '0')}`) : null,
    licenceNo: complete ? `PDY${String(600_000_000_000 + serial)}A1001` : null,
    nhsaCode: complete ? `H${city.districts[0]!.slice(0, 4)}${String(serial).padStart(7, '0')}` : null,
    phone: kindIndex % 5 === 4 ? '' : `0${571 + cityIndex}-8${String(7_000_000 + serial).slice(-7)}`,
  };
}

async function insert(tx: Tx, facts: HospitalFacts, hospitalNo: string, at: string, departmentCount: number, source: Source = 'STAFF') {
  const place = await requirePlace(tx, facts.adcode);
  return ownTx(tx)
    .insertInto('institutionHospital')
    .values({
      ...derive(facts, place, departmentCount),
      hospitalNo,
      source,
      state: 'ENABLED',
      createdAt: at,
      createdBy: null,
      updatedAt: at,
      updatedBy: null,
      updatedByName: '系统',
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function writeHospitals(ctx: DemoContext): Promise<DemoHospital[]> {
  const { transaction, now } = ctx;
  const made: DemoHospital[] = [];
  const at = plusMs(now, -days(60));
  for (const [cityIndex] of demoCities.entries()) {
    await transaction(async ({ tx }) => {
      const numbers = await nextNumbers(tx, 'YY', dayOf(at), demoKinds.length);
      for (const [kindIndex] of demoKinds.entries()) {
        const facts = factsFor(cityIndex, kindIndex);
        const departments = facts.level.startsWith('L3') ? 12 : facts.level.startsWith('L2') ? 9 : kindIndex % 2 === 0 ? 4 : 0;
        const row = await insert(tx, facts, numbers[kindIndex]!, at, departments);
        made.push({ id: row.id, name: row.name, cityAdcode: row.cityAdcode, adcode: row.adcode });
        if (departments > 0) {
          await ownTx(tx)
            .insertInto('institutionDepartment')
            .values(
              demoDepartments.slice(0, departments).map(([name, standardDeptCode], sort) => ({
                hospitalId: row.id,
                name,
                standardDeptCode: (sort + kindIndex) % 9 === 8 ? null : standardDeptCode,
                sort,
                state: 'ENABLED',
                createdAt: at,
                updatedAt: at,
              })),
            )
            .execute();
        }
      }
    });
  }
  const merging: DemoPair[] = [];
  await transaction(async ({ tx }) => {
    const own = ownTx(tx);
    // Two campuses each of the first hospital of every city.
    for (const main of made.filter((_, index) => index % demoKinds.length === 0)) {
      for (const campusName of ['东院区', '新城院区']) {
        const parent = await own.selectFrom('institutionHospital').selectAll().where('id', '=', main.id).executeTakeFirstOrThrow();
        const facts: HospitalFacts = {
          ...factsOf(parent),
          name: `${parent.name}（${campusName}）`,
          campusName,
          parentId: parent.id,
          address: `${campusName.slice(0, 1)}环路${campusName.length * 11}号`,
          lngE6: (parent.lngE6 ?? 0) + 45_000,
          latE6: parent.latE6,
        };
        await insert(tx, facts, await nextNumber(tx, 'YY', dayOf(at)), at, 0);
      }
      await own
        .insertInto('institutionHospitalAlias')
        .values({
          hospitalId: main.id,
          name: main.name.replace('市第一人民医院', '市一医院'),
          normName: main.name.replace('市第一人民医院', '市一医院'),
          kind: 'SHORT',
          createdAt: at,
          updatedAt: at,
        })
        .execute();
    }
    // Pairs over 80 points: the same phone a few metres on, under a shorter name.
    for (const [index, twin] of made
      .filter((_, place) => place % demoKinds.length < 2)
      .slice(0, TWINS + MERGES)
      .entries()) {
      const other = await own.selectFrom('institutionHospital').selectAll().where('id', '=', twin.id).executeTakeFirstOrThrow();
      const facts: HospitalFacts = {
        ...blankFacts,
        name: other.name.replace(/^.*?市/, ''),
        level: other.level,
        kind: other.kind,
        adcode: other.adcode,
        address: other.address,
        phone: other.phone,
        lngE6: other.lngE6 === null ? null : other.lngE6 + 900,
        latE6: other.latE6,
      };
      const row = await insert(tx, facts, await nextNumber(tx, 'YY', dayOf(at)), plusMs(at, days(20)), 0, 'IMPORT');
      await refreshPairs(tx, row.id, now);
      if (index < MERGES) merging.push({ survivorId: other.id, loserId: row.id });
    }
  });
  await writeMerges(ctx, merging);
  return made;
}
