import { displayBy } from '#kernel/web/form/conflictRows.ts';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import type { CodeStyle } from '../../contract/calls/codeFields.ts';
import { modifySceneCode, querySceneCodeList, type SceneCodeRow } from '../../contract/calls/scenes.ts';
import { sceneEntries } from '../../contract/dictionaries.ts';
import { styleValues } from '../shared/styleValues.ts';
import { SharedFields, sharedOf, type Shared } from './SceneCodeFields.tsx';

const labels = { entry: '进入方式', itemId: '服务项目', assistantId: '医助', remark: '备注', style: '样式' };
const display = displayBy({ entry: sceneEntries });
const valuesOf = (row: SceneCodeRow): Shared => ({
  entry: row.entry,
  itemId: row.itemId,
  assistantId: row.assistantId,
  remark: row.remark,
  style: styleValues(row.style as CodeStyle),
});

/** Drawer 编辑; what the printed code says cannot change. */
export function SceneCodeEdit({ row, onClose }: { row: SceneCodeRow; onClose(): void }) {
  return (
    <FormDrawer<typeof modifySceneCode, Shared>
      open
      title={`编辑场景码：${row.sceneCodeNo}`}
      width={760}
      call={modifySceneCode}
      recordKey={row.id}
      refreshes={[querySceneCodeList]}
      success="修改成功!"
      onClose={onClose}
      labels={labels}
      display={display}
      initial={valuesOf(row)}
      valuesOf={({ style, ...current }) => {
        const { style: _, ...values } = valuesOf(current as SceneCodeRow);
        return style === undefined ? values : valuesOf({ ...current, style } as SceneCodeRow);
      }}
      toInput={(values) => ({ id: row.id, version: row.version, ...sharedOf(values) })}
    >
      <SharedFields />
    </FormDrawer>
  );
}
