import { FormDrawer } from '../../../../kernel/web/form/FormDrawer.tsx';
import type { CodeStyle } from '../../contract/calls/codeFields.ts';
import { modifySceneCode, querySceneCodeList, type SceneCodeRow } from '../../contract/calls/scenes.ts';
import { styleValues } from '../shared/styleValues.ts';
import { SharedFields, sharedOf, type Shared } from './SceneCodeFields.tsx';

/** Drawer 编辑; what the printed code says cannot change. */
export function SceneCodeEdit({ row, onClose }: { row: SceneCodeRow; onClose(): void }) {
  return (
    <FormDrawer<typeof modifySceneCode, Shared>
      open title={`编辑场景码：${row.sceneCodeNo}`} width={760} call={modifySceneCode} recordKey={row.id} refreshes={[querySceneCodeList]} success="修改成功!" onClose={onClose}
      initial={{ entry: row.entry, itemId: row.itemId, assistantId: row.assistantId, remark: row.remark, style: styleValues(row.style as CodeStyle) }} toInput={(values) => ({ id: row.id, version: row.version, ...sharedOf(values) })}
    >
      <SharedFields />
    </FormDrawer>
  );
}

