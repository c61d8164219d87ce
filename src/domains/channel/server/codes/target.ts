import { originOf } from '#kernel/server/config/origin.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contrast, type CodeStyle, type Target } from '../../contract/calls/codeFields.ts';
import { channelErrors } from '../../contract/errors.ts';
import { own } from '../database.ts';
import { decodePicture, drawPng } from './draw.ts';
import { newToken } from './token.ts';

const LEAST_CONTRAST = 4.5;
const MOST_LOGO_PERCENT = 20;

/** Address that a code carries. */
export const linkOf = (kernel: Pick<Kernel, 'config'>, token: string): string => `${originOf(kernel.config)}/q/${token}`;

/** @throws Refusal SCM08031 for an address on a host that is not in the enabled list. */
export async function requireTarget(db: Db, target: Target): Promise<void> {
  if (target.url === null) return;
  const url = URL.canParse(target.url) ? new URL(target.url) : null;
  const plain = url?.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '';
  const known = plain
    ? await own(db)
        .selectFrom('channelCodeHost')
        .select('id')
        .where('host', '=', url.hostname.toLowerCase())
        .where('enabled', '=', true)
        .executeTakeFirst()
    : undefined;
  if (!known) throw refuse(channelErrors.HOST_REFUSED, { fields: [{ path: 'target.url', message: channelErrors.HOST_REFUSED.text }] });
}

/** @throws Refusal SCM08032 for pale colours, SCM08033 for a logo above 20 % of the area. */
export function requireStyle(style: CodeStyle): void {
  if (contrast(style.dark, style.light) < LEAST_CONTRAST) throw refuse(channelErrors.LOW_CONTRAST);
  if (style.logoFileId !== null && style.logoPercent > MOST_LOGO_PERCENT) throw refuse(channelErrors.LOGO_TOO_LARGE);
}

export async function logoOf(kernel: Kernel, db: Db, style: CodeStyle): Promise<Buffer | null> {
  if (style.logoFileId === null) return null;
  const { body, contentType } = await kernel.ports.files.openRead(db, style.logoFileId);
  if (!contentType.startsWith('image/')) throw refuse(channelErrors.UNREADABLE, { message: 'Logo须为图片' });
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Draws a code as it would be printed and reads it back. @throws Refusal SCM08034 when that fails. */
export async function requireReadable(kernel: Kernel, db: Db, style: CodeStyle, token = newToken()): Promise<Buffer> {
  const link = linkOf(kernel, token);
  const picture = await drawPng(link, style, await logoOf(kernel, db, style));
  if ((await decodePicture(picture)) !== link) throw refuse(channelErrors.UNREADABLE);
  return picture;
}

export function requireValidity(value: { validFrom: string | null; validTo: string | null }): void {
  if (value.validFrom !== null && value.validTo !== null && value.validTo <= value.validFrom)
    throw refuseField('validTo', '失效时间须晚于生效时间');
}
