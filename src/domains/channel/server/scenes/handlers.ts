import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { procedure, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contrast, type CodeStyle } from '../../contract/calls/codeFields.ts';
import { downloadSceneCode, previewSceneCode } from '../../contract/calls/scenes.ts';
import { seesChannel } from '../access.ts';
import { codeFiles } from '../codes/downloads.ts';
import { drawPng } from '../codes/draw.ts';
import { logoOf } from '../codes/target.ts';
import { own } from '../database.ts';
import { addMany, addOne } from './add.ts';
import { modifyOne, moveOne } from './change.ts';
import { sceneCodeById, sceneCodeList } from './list.ts';

export const sceneHandlers = (kernel: Kernel): readonly Handler[] => [
  sceneCodeList(kernel).handler,
  addOne(kernel),
  addMany(kernel),
  modifyOne(kernel),
  moveOne,
  query(previewSceneCode, async ({ id }, ctx) => {
    const row = await sceneCodeById(kernel, ctx.db, ctx.staff, id);
    if (!row) throw refuse(platformErrors.NOT_FOUND);
    const style = row.style as CodeStyle;
    const png = await drawPng(row.link, style, await logoOf(kernel, ctx.db, style));
    return {
      dataUrl: `data:image/png;base64,${png.toString('base64')}`,
      link: row.link,
      contrast: Math.round(contrast(style.dark, style.light) * 100) / 100,
    };
  }),
  procedure(downloadSceneCode, async ({ ids, format }, ctx) => {
    const codes = await own(ctx.db)
      .selectFrom('channelSceneCode as s')
      .innerJoin('channelChannel as c', 'c.id', 's.channelId')
      .select('s.codeId')
      .where('s.id', 'in', ids)
      .where(seesChannel(ctx.staff))
      .execute();
    if (codes.length === 0) throw refuse(platformErrors.NOT_FOUND);
    return codeFiles(
      kernel,
      ctx.db,
      ctx.staff,
      codes.map(({ codeId }) => codeId),
      format,
    );
  }),
];
