import { Alert, Form, Input, Modal, Radio, Select, Tabs } from 'antd';
import { useRef, useState } from 'react';
import { UnboundField } from '#kernel/web/form/UnboundField.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { HospitalPicker } from '#kernel/web/kit/pickers.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { useLeaving } from '#kernel/web/tabs/page.tsx';
import {
  addMergeHospital,
  previewMergeHospital,
  queryDuplicatePairList,
  queryMergeHospitalList,
  type MergeField,
} from '../../contract/duplicateCalls.ts';
import { hospitalLevels } from '../../contract/dictionaries.ts';
import { queryHospitalList } from '../../contract/hospitalCalls.ts';
import '../shared/institution.css';
import { newKey } from '#kernel/web/http/request.ts';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';

interface Chosen {
  from: 'survivor' | 'loser' | 'typed';
  value?: string;
}
interface MergeDialogProps {
  hospitals: readonly { id: string; name: string }[];
  onClose(): void;
  onDone?(): void;
}

/** 合并: which hospital stays, whose values, where the departments go, what it touches, and why. */
export function MergeDialog({ hospitals, onClose, onDone }: MergeDialogProps) {
  const [survivorId, setSurvivor] = useState(hospitals.length > 1 ? hospitals[0]!.id : '');
  const loserIds = hospitals.map(({ id }) => id).filter((id) => id !== survivorId);
  const ready = survivorId !== '' && loserIds.length > 0;
  const preview = useData(
    previewMergeHospital,
    { survivorId: survivorId || '1', loserIds: loserIds.length > 0 ? loserIds : ['1'] },
    { enabled: ready, quiet: true },
  );
  const { data } = preview;
  const [choices, setChoices] = useState<Partial<Record<MergeField, Chosen>>>({});
  const [plan, setPlan] = useState<Readonly<Record<string, string>>>({});
  const [reason, setReason] = useState('');
  const close = useLeaving(reason.trim() !== '' || Object.keys(choices).length + Object.keys(plan).length > 0, onClose);
  const key = useRef(newKey());
  const command = useCommand(addMergeHospital, {
    refreshes: [queryHospitalList, queryMergeHospitalList, queryDuplicatePairList],
    success: '已提交复核',
  });
  const several = loserIds.length > 1;
  const choiceOf = (field: MergeField, best: 'survivor' | 'loser'): Chosen => choices[field] ?? { from: several ? 'survivor' : best };
  const submit = async () => {
    if (!data) return;
    if (reason.trim().length < 2) return toast('请填写合并原因', 'warning');
    const first = data.losers[0]!;
    const fieldChoice = Object.fromEntries(
      first.fields.filter(({ differs, field }) => differs || choices[field]).map(({ field, best }) => [field, choiceOf(field, best)]),
    );
    const deptPlan = data.losers.flatMap(({ departments }) =>
      departments.map(({ fromDeptId, toDeptId }) => ({ fromDeptId, toDeptId: plan[fromDeptId] ?? toDeptId })),
    );
    const answer = await command.run(
      {
        survivorId,
        loserIds,
        fieldChoice,
        deptPlan: deptPlan.map((one) => ({ ...one, toDeptId: one.toDeptId === 'MOVE' ? ('MOVE' as const) : one.toDeptId })),
        reason,
      },
      { idempotencyKey: key.current },
    );
    if (!answer) return;
    onDone?.();
    onClose();
  };
  return (
    <Modal
      open
      title="合并医院"
      width={960}
      onCancel={close}
      mask={{ closable: false }}
      onOk={() => void submit()}
      okText="提交复核"
      cancelText="取消"
      okButtonProps={{ disabled: !data || command.busy, loading: command.flying }}
      destroyOnHidden
    >
      <Form layout="vertical">
        <Form.Item label="保留医院" required>
          {hospitals.length > 1 ? (
            <Radio.Group
              value={survivorId}
              onChange={(event) => {
                setSurvivor(event.target.value as string);
                setChoices({});
                setPlan({});
              }}
              options={hospitals.map(({ id, name }) => ({ value: id, label: name }))}
            />
          ) : (
            <HospitalPicker
              value={survivorId || null}
              onChange={(next) => setSurvivor(next && next !== hospitals[0]?.id ? next : '')}
              placeholder={`“${hospitals[0]?.name ?? ''}”合并到…`}
            />
          )}
        </Form.Item>
        {ready && !data && <Waiting for={preview} />}
        {data && (
          <Tabs
            items={data.losers.map((one, index) => ({
              key: one.loser.hospitalId,
              label: `并入：${one.loser.name}`,
              children: (
                <>
                  {one.usccDiffers && (
                    <Alert type="warning" showIcon className="kq-form-alert" title="两家医院统一社会信用代码不同，需填写说明并由主管确认" />
                  )}
                  {index === 0 && (
                    <div className="in-grid-scroll" style={{ maxHeight: 300 }}>
                      <table className="in-grid">
                        <thead>
                          <tr>
                            <th style={{ width: 140 }}>字段</th>
                            <th>保留</th>
                            <th>被合并</th>
                            <th style={{ width: 200 }}>手工填写</th>
                          </tr>
                        </thead>
                        <tbody>
                          {one.fields.map((row) => (
                            <tr key={row.field}>
                              <td>{row.differs ? <b>{row.label}</b> : row.label}</td>
                              <td>
                                <Radio
                                  checked={choiceOf(row.field, row.best).from === 'survivor'}
                                  disabled={!row.differs}
                                  onChange={() => setChoices({ ...choices, [row.field]: { from: 'survivor' } })}
                                >
                                  {row.survivor || '—'}
                                </Radio>
                              </td>
                              <td>
                                <Radio
                                  checked={choiceOf(row.field, row.best).from === 'loser'}
                                  disabled={!row.differs}
                                  onChange={() => setChoices({ ...choices, [row.field]: { from: 'loser' } })}
                                >
                                  {row.loser || '—'}
                                </Radio>
                              </td>
                              <td>
                                {row.mayType && (
                                  <Input
                                    size="small"
                                    placeholder="手工填写"
                                    value={choices[row.field]?.from === 'typed' ? (choices[row.field]?.value ?? '') : ''}
                                    onChange={(event) =>
                                      setChoices({
                                        ...choices,
                                        [row.field]: event.target.value
                                          ? { from: 'typed', value: event.target.value }
                                          : { from: 'survivor' },
                                      })
                                    }
                                  />
                                )}
                              </td>
                            </tr>
                          ))}
                        </tbody>
                      </table>
                    </div>
                  )}
                  <div className="in-section">科室去向</div>
                  <div className="in-grid-scroll" style={{ maxHeight: 240 }}>
                    <table className="in-grid">
                      <thead>
                        <tr>
                          <th>科室</th>
                          <th style={{ width: 90 }}>医生数</th>
                          <th style={{ width: 320 }}>去向</th>
                        </tr>
                      </thead>
                      <tbody>
                        {one.departments.length === 0 && (
                          <tr>
                            <td colSpan={3} className="kq-muted">
                              没有科室
                            </td>
                          </tr>
                        )}
                        {one.departments.map((row) => (
                          <tr key={row.fromDeptId}>
                            <td>{row.fromName}</td>
                            <td>{row.doctorCount}</td>
                            <td>
                              <Select
                                size="small"
                                className="kq-wide"
                                value={plan[row.fromDeptId] ?? row.toDeptId}
                                onChange={(next) => setPlan({ ...plan, [row.fromDeptId]: next })}
                                options={[
                                  { value: 'MOVE', label: '移入保留医院' },
                                  ...data.targets.map((target) => ({ value: target.id, label: `并入“${target.name}”` })),
                                ]}
                              />
                            </td>
                          </tr>
                        ))}
                      </tbody>
                    </table>
                  </div>
                  <p className="kq-muted">
                    影响：医生{one.impact.doctors}位，入组合同{one.impact.contracts}份，科室{one.impact.departments}个，申请
                    {one.impact.applications}件，别名{one.impact.aliases}个；{hospitalLevels.label(one.loser.level)}，
                    {one.loser.address || '无地址'}。
                  </p>
                </>
              ),
            }))}
          />
        )}
        <UnboundField label="合并原因" required>
          <TextArea rows={2} most={500} showCount value={reason} onChange={(event) => setReason(event.target.value)} />
        </UnboundField>
      </Form>
    </Modal>
  );
}
