import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { everyone } from '#kernel/server/auth/viewer.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { stranger, type PageViewer } from '../../contract/delivery/audience.ts';
import type { ClientType } from '../../contract/floors/clientPages.ts';
import { own } from '../database.ts';
import { personOf } from '../delivery/checks.ts';
import { typeOf } from '../marks/objects.ts';

/** Of the owners' variables, what deliveries ask of a person; who is no patient has proved who he is, and needs no consent. */
const known: Readonly<Record<ClientType, { realName?: string; agrees?: string; days?: string }>> = {
  PATIENT: { realName: 'patient.realName', agrees: 'patient.marketingConsent', days: 'patient.recordDays' },
  DOCTOR: { days: 'doctor.recordDays' },
  STORE: {},
};

/** Marks that a person carries now. */
async function marksOf(db: Db, objectType: string, objectId: string, now: Instant): Promise<ReadonlySet<string>> {
  const rows = await own(db)
    .selectFrom('contentMarkBinding as b')
    .innerJoin('contentMark as m', 'm.id', 'b.markId')
    .innerJoin('contentTagGroup as g', 'g.id', 'm.groupId')
    .select('b.markId')
    .where((eb) => eb(eb.cast<string>('b.objectType', 'text'), '=', objectType))
    .where('b.objectId', '=', objectId)
    .where('b.endedAt', 'is', null)
    .where((eb) => eb.or([eb('b.expireAt', 'is', null), eb('b.expireAt', '>', now)]))
    .where('m.state', '=', 'ENABLED')
    .where('g.state', '=', 'ENABLED')
    .execute();
  return new Set(rows.map(({ markId }) => markId));
}

/** A person of a client, as deliveries see him. @throws Refusal SCM90040 */
export async function viewerOf(
  kernel: Kernel,
  db: Db,
  clientType: ClientType,
  objectId: string,
  now: Instant,
): Promise<PageViewer & { name: string }> {
  const person = typeOf(kernel, personOf[clientType]);
  const [label] = await person.labels(db, everyone, [objectId], now);
  if (!label) throw refuse(platformErrors.NOT_FOUND, { message: '用户不存在' });
  const codes = known[clientType];
  const wanted = [codes.realName, codes.agrees, codes.days].filter((code) => code !== undefined);
  const facts = wanted.length === 0 ? [] : ((await person.rules?.facts(db, [objectId], wanted, now)) ?? []);
  const valueOf = (code: string | undefined) => facts.find((fact) => fact.code === code)?.value;
  const days = codes.days === undefined ? undefined : valueOf(codes.days);
  return {
    ...stranger,
    loggedIn: true,
    objectId,
    name: label.name,
    marks: await marksOf(db, personOf[clientType], objectId, now),
    realName: codes.realName === undefined || valueOf(codes.realName) === '1',
    agrees: codes.agrees === undefined || valueOf(codes.agrees) === '1',
    seenDays: days === undefined ? null : Number(days),
  };
}
