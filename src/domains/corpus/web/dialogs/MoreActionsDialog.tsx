import { Button, Modal } from 'antd';
import { DIALOG_WIDTH } from '#kernel/web/feedback/dialogs.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import { useSceneTree, type AnyScene } from '../data.ts';
import { useRemoveScene } from '../removal.ts';
import { openDialog } from './store.ts';

/** 更多操作: what may be done with a scene of the tree. */
export function MoreActionsDialog({ scene, onClose }: { scene: AnyScene; onClose(): void }) {
  const may = useMay();
  const { data: tree } = useSceneTree(scene.diseaseId);
  const { remove, busy } = useRemoveScene(onClose);
  const mayEdit = may(corpusPermissions['scene.edit']);
  const main = tree?.rows.find((row) => row.id === scene.id) ?? null;
  return (
    <Modal open title="更多操作" width={DIALOG_WIDTH} className="kq-dialog kq-corpus-dialog" footer={null} onCancel={onClose}>
      <p className="kq-dialog-lead">{scene.name}</p>
      <div className="kq-more-actions">
        {mayEdit && main && <Button onClick={() => openDialog({ kind: 'addScene', diseaseId: scene.diseaseId, main })}>新增子场景</Button>}
        {mayEdit && <Button onClick={() => openDialog({ kind: 'name', scene, copy: false })}>重命名</Button>}
        {mayEdit && <Button onClick={() => openDialog({ kind: 'name', scene, copy: true })}>复制</Button>}
        <Button onClick={() => openDialog({ kind: 'launch', scene })}>启动条件</Button>
        {mayEdit && (
          <Button danger disabled={busy} onClick={() => remove(scene)}>
            删除
          </Button>
        )}
      </div>
    </Modal>
  );
}
