import { sql } from 'kysely';
import { productStatusChanged } from '#events/insurance.ts';
import { doctorDisabled } from '#events/doctor.ts';
import { medicineChanged } from '#events/pharma.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { everyone } from '#kernel/server/auth/viewer.ts';
import { consumer, type ConsumerContext } from '#kernel/server/outbox/consumer.ts';
import { deliveryPermissions } from '../../contract/delivery/permissions.ts';
import { thingTypes } from '../../contract/delivery/things.ts';
import { pageCodes } from '../../contract/floors/clientPages.ts';
import { floorTypes, itemTypeOf } from '../../contract/floors/dictionaries.ts';
import { ownTx } from '../database.ts';
import { offeredOf, type Named } from './offered.ts';

/** Links of the domain beside its rules, which hear the same events for themselves. */
const HEARER = 'content.links';

/** Names what leads to a thing that customers are no longer offered, to who may lead it elsewhere; clients leave it out by themselves. */
async function alertLinksTo(ctx: ConsumerContext, thing: Named): Promise<void> {
  const { tx, now, kernel } = ctx;
  const type = kernel.registry.objectTypes.get(thing.objectType);
  const isOffered = await offeredOf(kernel, tx, [thing], now);
  if (!type || isOffered(thing)) return;
  const deliveries = await ownTx(tx)
    .selectFrom('contentDelivery')
    .select(['deliveryNo', 'name', 'kind'])
    .where('linkObjectId', '=', thing.objectId)
    .where(({ eb, val }) => eb('linkType', '=', sql<'MEDICINE'>`${val(thing.objectType)}`))
    .where('state', 'in', ['AUDITING', 'APPROVED'])
    .where('endAt', '>', now)
    .orderBy('id')
    .execute();
  const floors = await ownTx(tx)
    .selectFrom('contentFloor')
    .select(['pageCode', 'floorName'])
    .where(
      'floorType',
      'in',
      floorTypes.codes.filter((code) => itemTypeOf(code) === thing.objectType),
    )
    .where(sql<boolean>`items @> ${JSON.stringify([{ objectId: thing.objectId }])}::jsonb`)
    .orderBy('id')
    .execute();
  if (deliveries.length + floors.length === 0) return;
  const [label] = await type.labels(tx, everyone, [thing.objectId], now);
  const noun = thingTypes.label(thing.objectType);
  await kernel.ports.notices.addAlert(
    tx,
    {
      businessKey: `content.off.${thing.objectType}.${thing.objectId}.${dayOf(now)}`,
      title: `${noun}“${label?.name ?? ''}”已下架，${deliveries.length + floors.length}处投放与楼层不再展示它`,
      body: [
        ...deliveries.map(({ deliveryNo, name }) => `${deliveryNo} ${name}`),
        ...floors.map(({ pageCode, floorName }) => `${pageCodes.label(pageCodes.schema.parse(pageCode))}楼层“${floorName}”`),
      ].join('；'),
      link: deliveries.some(({ kind }) => kind === 'BANNER')
        ? '/bannerConfig'
        : deliveries.length > 0
          ? '/advertiseManage'
          : `/bannerConfig?tab=floor&pageCode=${floors[0]?.pageCode ?? ''}`,
      permission: deliveryPermissions['banner.edit'].code,
    },
    now,
  );
}

export const offConsumers = [
  consumer(HEARER, medicineChanged, ({ payload }, ctx) => alertLinksTo(ctx, { objectType: 'MEDICINE', objectId: payload.medicineId })),
  consumer(HEARER, doctorDisabled, ({ payload }, ctx) => alertLinksTo(ctx, { objectType: 'DOCTOR', objectId: payload.doctorId })),
  consumer(HEARER, productStatusChanged, ({ payload }, ctx) => alertLinksTo(ctx, { objectType: 'PRODUCT', objectId: payload.productId })),
];
