import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { getChannels } from '#domains/channel/server/index.ts';
import { getDoctors, getServiceItem } from '#domains/doctor/server/index.ts';
import { itemTypes, titles } from '#domains/doctor/contract/dictionaries.ts';
import { hospitalLevels } from '#domains/institution/contract/dictionaries.ts';

export interface Scope {
  doctorId: string | null;
  channelId: string | null;
  serviceItemId: string | null;
  serviceType: string | null;
  doctorTitle: string | null;
  hospitalLevel: string | null;
}

const named = (name: string | undefined, what: string): string => {
  if (name === undefined) throw refuse(platformErrors.NOT_FOUND, { message: `${what}不存在或已删除` });
  return name;
};

/**
 * Whom a rule is about, in words; without a scope it is about everybody.
 * @throws Refusal SCM90040 for a doctor, channel or item that does not exist
 */
export async function scopeText(db: Db | Tx, scope: Scope): Promise<string> {
  const { doctorId, channelId, serviceItemId, serviceType, doctorTitle, hospitalLevel } = scope;
  const parts: string[] = [];
  if (doctorId !== null) parts.push(`医生：${named((await getDoctors(db, [doctorId]))[0]?.name, '医生')}`);
  if (channelId !== null) parts.push(`渠道：${named((await getChannels(db, [channelId]))[0]?.name, '渠道')}`);
  if (serviceItemId !== null) parts.push(`项目：${named((await getServiceItem(db, serviceItemId, null))?.itemName, '服务项目')}`);
  if (serviceType !== null) parts.push(`类型：${itemTypes.label(serviceType)}`);
  if (doctorTitle !== null) parts.push(`职称：${titles.label(doctorTitle)}`);
  if (hospitalLevel !== null) parts.push(`医院等级：${hospitalLevels.label(hospitalLevel)}`);
  return parts.length === 0 ? '默认（全部）' : parts.join('；');
}
