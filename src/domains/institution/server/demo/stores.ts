import { dayOf, days, plusDays, plusMs, type Instant } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { usccOf } from '#kernel/contract/uscc.ts';
import type { WeekHours } from '../../contract/opening.ts';
import type { Capability, LicenceType, StoreTag } from '../../contract/dictionaries.ts';
import { storeMachine, type StoreState } from '../../contract/states.ts';
import { json, ownTx } from '../database.ts';
import { requirePlace } from '../regions.ts';
import { grams, normName } from '../rules/normName.ts';
import { storeAccount } from '../stores/account.ts';
import { addressHash } from '../stores/guards.ts';
import { demoChains, demoCities, demoGoods, demoStreets } from './names.ts';

const SPRING_FESTIVAL = ['2027-02-05', '2027-02-06', '2027-02-07', '2027-02-08', '2027-02-09'];
const REMINDERS = [60, 30, 15, 7, 1];
const week = (from: number, to: number): WeekHours => Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((day) => [day, [{ from, to }]]));
/** Between -0.5 and 0.5, the same in every demonstration. */
const spread = (seed: number) => (Math.abs(Math.sin(seed * 12.9898) * 43_758.5453) % 1) - 0.5;

const [MAKER, CHECKER] = ['医生运营', '运营审核'];
type StoreAction = keyof typeof storeMachine.transitions & string;
/** Its licence ended, was renewed, audited, and the store opened again. */
const RENEWED = 112;

async function renew(
  { tx }: Pick<Writing, 'tx'>,
  store: { id: string; name: string; adcode: string },
  validTo: string,
  now: Instant,
): Promise<void> {
  const own = ownTx(tx);
  const today = dayOf(now);
  const facts = { licenceType: 'DRUG' as const, holder: store.name, fileIds: [] };
  const [old, fresh] = [
    { ...facts, licenceNo: `DR${store.adcode}1000`, validFrom: plusDays(today, -1837), validTo: plusDays(today, -12) },
    { ...facts, licenceNo: `DR${store.adcode}1112`, validFrom: plusDays(today, -900), validTo },
  ];
  await own
    .insertInto('institutionLicence')
    .values({
      ...old,
      ownerType: 'DRUGSTORE',
      ownerId: store.id,
      state: 'REPLACED',
      createdAt: now,
      createdBy: null,
      updatedAt: now,
      updatedBy: null,
    })
    .execute();
  await own
    .insertInto('institutionStoreChange')
    .values({
      changeNo: await nextNumber(tx, 'BG', today),
      ownerType: 'DRUGSTORE',
      ownerId: store.id,
      ownerName: store.name,
      before: json({ licence: old }),
      after: json({ licence: fresh }),
      fileIds: [],
      reason: '更新药品经营许可证',
      makerId: '1',
      makerName: MAKER,
      checkerId: '2',
      checkerName: CHECKER,
      state: 'APPROVED',
      createdAt: plusMs(now, -days(10)),
      createdBy: null,
      updatedAt: plusMs(now, -days(9)),
    })
    .execute();
}

/** 6 chains and 140 drugstores: DTP, 双通道, 直付, night stores, suspended ones, licences at every reminder day. */
export async function writeStores({ kernel, transaction, now }: DemoContext): Promise<void> {
  const today = dayOf(now);
  await transaction(async (writing) => {
    const { tx } = writing;
    const own = ownTx(tx);
    const timestamps = { createdAt: now, createdBy: null, updatedAt: now, updatedBy: null };
    await own
      .insertInto('institutionGoodsCopy')
      .values(
        demoGoods.map(([goodsCode, medicineId, goodsName, spec]) => ({
          goodsCode,
          medicineId,
          goodsName,
          spec,
          state: 'ON',
          updatedAt: now,
        })),
      )
      .execute();
    const chains: string[] = [];
    for (const [index, brand] of demoChains.entries()) {
      const name = `${brand}连锁有限公司`;
      const { id } = await own
        .insertInto('institutionChain')
        .values({
          chainNo: await nextNumber(tx, 'LS', today),
          name,
          brand,
          uscc: usccOf(`913100007${String(10_000_000 + index).padStart(8, '0')}`),
          contactName: '总部财务',
          contactMobileCipher: kernel.secrets.encrypt(`1390000000${index}`),
          account: json(
            storeAccount(kernel.secrets, {
              companyName: name,
              taxNo: usccOf(`913100007${String(10_000_000 + index).padStart(8, '0')}`),
              bankName: '招商银行上海分行',
              bankNo: '308290003020',
              accountNo: `6225880${String(100_000_000 + index)}`,
            }),
          ),
          state: 'ENABLED',
          ...timestamps,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      chains.push(id);
    }
    for (let index = 0; index < 140; index += 1) {
      const city = demoCities[index % demoCities.length]!;
      const adcode = index === RENEWED ? '440106' : city.districts[index % city.districts.length]!;
      const place = await requirePlace(tx, adcode);
      const chained = index % 4 !== 3;
      const dtp = index % 7 < 2;
      const dual = index % 14 < 3;
      const direct = index % 4 === 1;
      const state = index >= 132 ? 'PENDING' : index < 6 ? 'SUSPENDED' : 'OPEN';
      const chain = index === RENEWED ? 0 : index % demoChains.length;
      const brand = demoChains[chain]!;
      const street = demoStreets[index % demoStreets.length]!;
      const name =
        index === RENEWED ? '国大DTP药房（天河店）' : `${brand}${dtp ? 'DTP药房' : ''}（${city.short}${street.slice(0, 2)}${index + 1}店）`;
      const address = `${street}${index * 3 + 6}号`;
      const uscc = usccOf(`91${adcode}M${String(10_000_000 + index).padStart(8, '0')}`);
      const norm = normName(name, place);
      const tags: StoreTag[] = [
        chained ? 'CHAIN' : 'SINGLE',
        ...(dtp ? (['DTP'] as const) : []),
        ...(dual ? (['DUAL'] as const) : []),
        ...(direct && chained ? (['DIRECT'] as const) : []),
      ];
      const capabilities: Capability[] = ['RX', ...(dtp ? (['COLD', 'SPECIAL'] as const) : []), index % 3 === 0 ? 'DELIVERY' : 'PICKUP'];
      const reminder = index >= 10 && index < 35 ? REMINDERS[(index - 10) % 5]! : null;
      const ends =
        state === 'SUSPENDED'
          ? plusDays(today, -3 - index)
          : reminder !== null
            ? plusDays(today, reminder)
            : plusDays(today, 400 + index * 3);
      const storeNo = await nextNumber(tx, 'YD', today);
      const { id } = await own
        .insertInto('institutionDrugstore')
        .values({
          storeNo,
          name,
          normName: norm,
          nameGrams: grams(norm),
          chainId: chained ? chains[chain]! : null,
          chainStoreCode: chained ? `S${String(index + 1).padStart(4, '0')}` : null,
          storeTags: tags,
          uscc,
          nhsaCode: dual || direct ? `P${adcode}${String(index + 1).padStart(5, '0')}` : null,
          adcode: place.adcode,
          cityAdcode: place.cityAdcode,
          provinceAdcode: place.provinceAdcode,
          address,
          addressHash: addressHash(address),
          lngE6: Math.round((city.lng + spread(index) * 0.14) * 1e6),
          latE6: Math.round((city.lat + spread(index + 300) * 0.1) * 1e6),
          locateSource: 'TIP',
          phone: `0571-8${String(8_000_000 + index).slice(-7)}`,
          managerName: '李店长',
          managerMobileCipher: kernel.secrets.encrypt(`137${String(20_000_000 + index * 91)}`),
          pharmacistName: '周药师',
          pharmacistCertNo: `33${String(100_000 + index)}`,
          accountOf: chained ? 'CHAIN' : 'NONE',
          weekHours: json(index % 70 === 20 ? week(540, 1560) : index % 9 === 0 ? week(0, 1440) : week(510, 1290)),
          capabilities,
          deliveryRadiusM: index % 3 === 0 ? 3000 : null,
          deliveryFeeFen: index % 3 === 0 ? 500 : null,
          freeOverFen: index % 3 === 0 ? 9900 : null,
          state,
          suspendReason: state === 'SUSPENDED' ? `证照过期：药品经营许可证（${ends}）` : null,
          nextExpireOn: state === 'SUSPENDED' ? plusDays(today, 500) : ends < plusDays(today, 500) ? ends : plusDays(today, 500),
          ...timestamps,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const held: LicenceType[] = [
        'BUSINESS',
        'DRUG',
        'PHARMACIST',
        ...(dual ? (['NHSA', 'DUAL'] as const) : direct ? (['NHSA'] as const) : []),
      ];
      await own
        .insertInto('institutionLicence')
        .values(
          held.map((licenceType) => ({
            ownerType: 'DRUGSTORE',
            ownerId: id,
            licenceType,
            licenceNo: licenceType === 'BUSINESS' ? uscc : `${licenceType.slice(0, 2)}${adcode}${String(1000 + index)}`,
            holder: name,
            validFrom: plusDays(today, -900),
            validTo: licenceType === 'BUSINESS' ? null : licenceType === 'DRUG' ? ends : plusDays(today, 500),
            state: licenceType === 'DRUG' && state === 'SUSPENDED' ? 'EXPIRED' : 'VALID',
            ...timestamps,
          })),
        )
        .execute();
      const target = { targetType: 'institution.drugstore', targetId: id, targetNo: storeNo };
      const act = (by: string, ago: number, action: StoreAction, from: StoreState, opinion?: string) =>
        moveState({ ...asSystem(writing, { now: plusMs(now, -days(ago)), traceId: 'demo' }), actorName: by }, storeMachine, {
          ...target,
          action,
          from,
          opinion,
        });
      await act(MAKER, state === 'PENDING' ? 0 : 90, 'submit', 'DRAFT');
      if (state !== 'PENDING') await act(CHECKER, state === 'SUSPENDED' ? 80 : 89, 'approve', 'PENDING');
      if (state === 'SUSPENDED') await act('系统', 2 + index, 'expire', 'OPEN', `证照过期：药品经营许可证（${ends}）`);
      if (index === RENEWED) {
        await act('系统', 11, 'expire', 'OPEN', `证照过期：药品经营许可证（${plusDays(today, -12)}）`);
        await renew(writing, { id, name, adcode }, ends, now);
        await act(MAKER, 8, 'resume', 'SUSPENDED', '新证照已审核');
      }
      if (index % 10 === 0)
        await own
          .insertInto('institutionStoreHoliday')
          .values(SPRING_FESTIVAL.map((day) => ({ storeId: id, day, spans: json([]), note: '春节', updatedAt: now, updatedBy: null })))
          .execute();
      if (state === 'OPEN') {
        await own
          .insertInto('institutionStoreGoods')
          .values(
            demoGoods.map(([goodsCode, medicineId, goodsName, spec, price], at) => ({
              storeId: id,
              goodsCode,
              effectiveFrom: plusDays(today, -30),
              medicineId,
              goodsName,
              spec,
              priceFen: String(price + index * 10),
              inStock: (index + at) % 6 !== 0,
              stockAt: now,
              createdAt: now,
              updatedAt: now,
            })),
          )
          .execute();
      }
    }
  });
}
