import { Button, Form, Modal, Select, Switch } from 'antd';
import { useEffect, useState } from 'react';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { Time } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import {
  addRealNameSwitch,
  modifyRealNameSwitch,
  queryRealNameSwitchList,
  resolveRealNameSwitch,
  type RealNameSwitch,
} from '../../contract/calls/realName.ts';
import { lockedScenes, minMethods, switchScenes, type MinMethod, type SwitchScene } from '../../contract/dictionaries.ts';
import { patientPermissions as rights } from '../../contract/permissions.ts';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';

interface Draft {
  required: boolean;
  minMethod: MinMethod;
}

const refreshes = [queryRealNameSwitchList, resolveRealNameSwitch];
export const methodLabels: Readonly<Record<MinMethod, string>> = { ID2: '二要素', ID3: '三要素', FACE: '人脸' };
export const methodOptions = minMethods.codes.map((value) => ({ value, label: methodLabels[value] }));
const LEAST = 2;

/** One row per scene; scenes that the law requires are locked on. A change is saved with its reason. */
export function GlobalSwitches({ rows, onDirty }: { rows: readonly RealNameSwitch[]; onDirty(dirty: boolean): void }) {
  const editable = useMay()(rights['realNameSwitch.edit']);
  const [drafts, setDrafts] = useState<Partial<Record<SwitchScene, Draft>>>({});
  const [saving, setSaving] = useState<SwitchScene | null>(null);
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const done = () => {
    if (saving) setDrafts(({ [saving]: _saved, ...rest }) => rest);
    setSaving(null);
    setReason('');
    setTried(false);
  };
  const add = useCommand(addRealNameSwitch, { success: '修改成功!', refreshes, onSuccess: done });
  const modify = useCommand(modifyRealNameSwitch, { success: SERVER_MESSAGE, refreshes, onSuccess: done });
  const dirty = Object.keys(drafts).length > 0;
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  const heldOf = (scene: SwitchScene) => rows.find((row) => row.scene === scene);
  const shownOf = (scene: SwitchScene): Draft =>
    drafts[scene] ?? { required: heldOf(scene)?.required ?? lockedScenes.includes(scene), minMethod: heldOf(scene)?.minMethod ?? 'ID2' };
  const put = (scene: SwitchScene, patch: Partial<Draft>) => {
    const next = { ...shownOf(scene), ...patch };
    const held = heldOf(scene);
    if (held && held.required === next.required && held.minMethod === next.minMethod) setDrafts(({ [scene]: _same, ...rest }) => rest);
    else setDrafts({ ...drafts, [scene]: next });
  };
  const save = async () => {
    setTried(true);
    if (!saving || reason.trim().length < LEAST) return;
    const draft = shownOf(saving);
    const held = heldOf(saving);
    const fields = { ...draft, reason: reason.trim() };
    if (held) await modify.run({ id: held.id, version: held.version, ...fields });
    else await add.run({ scopeType: 'GLOBAL', scopeId: '0', scopeName: '', scene: saving, ...fields });
  };
  const fault = tried && reason.trim().length < LEAST ? '请填写原因，至少2个字' : '';
  return (
    <>
      <table className="pa-grid">
        <thead>
          <tr>
            <th>场景</th>
            <th>须实名</th>
            <th>最低方式</th>
            <th>生效时间</th>
            <th>操作人</th>
            <th>
              <span className="kq-spoken">操作</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {switchScenes.codes.map((scene) => {
            const shown = shownOf(scene);
            const held = heldOf(scene);
            const locked = lockedScenes.includes(scene);
            return (
              <tr key={scene}>
                <td>{switchScenes.label(scene)}</td>
                <td>
                  <Switch
                    size="small"
                    aria-label={`${switchScenes.label(scene)}须实名`}
                    checked={shown.required}
                    disabled={!editable || locked}
                    onChange={(required) => put(scene, { required })}
                  />
                  {locked && <span className="kq-muted">　依法须实名</span>}
                </td>
                <td>
                  <Select<MinMethod>
                    size="small"
                    style={{ width: 110 }}
                    aria-label={`${switchScenes.label(scene)}最低方式`}
                    value={shown.minMethod}
                    disabled={!editable || !shown.required}
                    options={methodOptions}
                    onChange={(minMethod) => put(scene, { minMethod })}
                  />
                </td>
                <td className="pa-nowrap">
                  <Time at={held?.effectiveFrom} />
                </td>
                <td>{held?.updatedBy ?? '系统默认'}</td>
                <td className="pa-right">
                  {drafts[scene] && (
                    <span className="pa-card-actions">
                      <button type="button" className="kq-link" onClick={() => setDrafts(({ [scene]: _left, ...rest }) => rest)}>
                        撤销
                      </button>
                      <Button size="small" type="primary" onClick={() => setSaving(scene)}>
                        保存
                      </Button>
                    </span>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <Modal
        open={saving !== null}
        title={saving ? `修改“${switchScenes.label(saving)}”` : ''}
        width={480}
        onCancel={() => {
          setSaving(null);
          setTried(false);
        }}
        onOk={() => void save()}
        okText="确定"
        cancelText="取消"
        okButtonProps={{ disabled: add.busy || modify.busy, loading: add.flying || modify.flying }}
        destroyOnHidden
      >
        {saving && (
          <p>
            {shownOf(saving).required ? `须实名，最低方式：${methodLabels[shownOf(saving).minMethod]}` : '不要求实名'}，确定后立即生效。
          </p>
        )}
        <Form layout="vertical">
          <Form.Item label="原因" required validateStatus={fault ? 'error' : ''} help={fault || undefined}>
            <TextArea aria-label="原因" rows={2} most={200} showCount value={reason} onChange={(event) => setReason(event.target.value)} />
          </Form.Item>
        </Form>
      </Modal>
    </>
  );
}
