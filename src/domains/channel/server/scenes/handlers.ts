import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { exportHandler } from '../../../../kernel/server/exporting/exportHandler.ts';
import { chunksDown } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { procedure, query, type Handler } from '../../../../kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { contrast, type CodeStyle } from '../../contract/calls/codeFields.ts';
import {
  downloadSceneCode,
  exportSceneCodeList,
  previewSceneCode,
  querySceneCodeList,
  type SceneCodeRow,
} from '../../contract/calls/scenes.ts';
import { chatFlags, sceneEntries } from '../../contract/dictionaries.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { sceneCodeStates } from '../../contract/states.ts';
import { seesChannel } from '../access.ts';
import { codeFiles } from '../codes/downloads.ts';
import { drawPng } from '../codes/draw.ts';
import { logoOf } from '../codes/target.ts';
import { own } from '../database.ts';
import { addMany, addOne } from './add.ts';
import { modifyOne, moveOne } from './change.ts';
import { readSceneCodes, sceneCodeQuery } from './list.ts';

const columns: readonly ExportColumn<SceneCodeRow>[] = [
  { key: 'sceneCodeNo', label: '编号', value: (row) => row.sceneCodeNo },
  { key: 'link', label: '地址', width: 40, value: (row) => row.link },
  { key: 'diseaseName', label: '病种', value: (row) => row.diseaseName },
  { key: 'sceneName', label: '场景', width: 30, value: (row) => row.sceneName },
  { key: 'chatFlag', label: '会话方式', value: (row) => (row.chatFlag === null ? null : chatFlags[row.chatFlag]) },
  { key: 'channelName', label: '渠道', width: 30, value: (row) => row.channelName },
  { key: 'doctorName', label: '医生', value: (row) => row.doctorName },
  { key: 'hospitalName', label: '医院', width: 30, value: (row) => row.hospitalName },
  { key: 'entry', label: '进入方式', dictionary: sceneEntries, value: (row) => row.entry },
  { key: 'pv', label: '扫码', kind: 'int', value: (row) => row.pv },
  { key: 'registered', label: '注册', kind: 'int', value: (row) => row.registered },
  { key: 'firstOrders', label: '首单', kind: 'int', value: (row) => row.firstOrders },
  { key: 'state', label: '状态', dictionary: sceneCodeStates.dictionary, value: (row) => row.state },
  { key: 'problems', label: '异常', value: (row) => row.problems.join('、') },
  { key: 'createdAt', label: '创建时间', kind: 'instant', value: (row) => row.createdAt },
];

export const sceneCodeExport = (kernel: Pick<Kernel, 'config'>) =>
  exportSource({
    call: exportSceneCodeList,
    title: '场景码',
    routeKey: 'sceneCode',
    permission: channelPermissions['scene.export'].code,
    columns,
    count: ({ db, staff, filter }) => totalUpTo(own(db), sceneCodeQuery(db, staff, filter)),
    chunks: ({ db, staff, filter }) =>
      chunksDown((before, limit) =>
        readSceneCodes(kernel, sceneCodeQuery(db, staff, filter).where('s.id', '<', before), { limit, offset: 0 }),
      ),
  });

export const sceneHandlers = (kernel: Kernel): readonly Handler[] => [
  query(querySceneCodeList, async ({ pageNo, pageSize, ...filter }, ctx) => {
    const matching = sceneCodeQuery(ctx.db, ctx.staff, filter);
    return {
      rows: await readSceneCodes(kernel, matching, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) }),
      total: await totalUpTo(own(ctx.db), matching),
    };
  }),
  addOne(kernel),
  addMany(kernel),
  modifyOne(kernel),
  moveOne,
  query(previewSceneCode, async ({ id }, ctx) => {
    const [row] = await readSceneCodes(kernel, sceneCodeQuery(ctx.db, ctx.staff, { id }), { limit: 1, offset: 0 });
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
  exportHandler(sceneCodeExport(kernel), kernel),
];
