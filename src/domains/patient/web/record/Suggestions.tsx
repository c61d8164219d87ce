import { useState } from 'react';
import { send } from '#kernel/web/http/client.ts';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import { queryPatientModule } from '../../contract/calls/ehr.ts';
import { modules, type SuggestionRow } from '../../contract/modules.ts';
import { suggestionMachine } from '../../contract/states.ts';
import { invalidText } from '../rows/cards.tsx';
import { usage } from '../rows/texts.ts';
import { MoreList } from '../shared/MoreList.tsx';
import { STEP, useMore } from '../shared/useMore.ts';
import { Choice } from '../shared/Choice.tsx';
import { useRecord } from './recordScope.ts';

/** 用药建议 (modular002). */
export function Suggestions() {
  const { patientId } = useRecord();
  const [status, setStatus] = useState('');
  const input = { patientId, moduleCode: 'modular002', orderBy: modules.modular002.orderBy, ...(status && { status }) };
  const list = useMore([queryPatientModule.name, input], (pageNo, signal) =>
    send(queryPatientModule, { ...input, pageNo, pageSize: STEP }, { signal, quiet: true }),
  );
  return (
    <>
      <div className="pa-toolbar">
        <Choice
          label="状态"
          value={status}
          onChange={setStatus}
          options={[
            { value: '', label: '全部' },
            ...suggestionMachine.dictionary.options.map(({ value, label }) => ({ value: value as string, label })),
          ]}
        />
      </div>
      <MoreList list={list} empty={status ? '没有该状态的用药建议' : '没有用药建议，由医生在咨询中开具'}>
        {(rows) => (
          <table className="pa-grid">
            <thead>
              <tr>
                <th>开具时间</th>
                <th>药品</th>
                <th>用法用量</th>
                <th>天数</th>
                <th>医生</th>
                <th>状态</th>
              </tr>
            </thead>
            <tbody>
              {rows
                .filter((row): row is SuggestionRow => row.moduleCode === 'modular002')
                .map((row) => {
                  const invalid = invalidText(row);
                  return (
                    <tr key={row.id} data-row tabIndex={0}>
                      <td className="pa-nowrap">
                        <Time at={row.prescriptionTime} />
                        <div className="kq-muted kq-number">{row.suggestNo}</div>
                      </td>
                      <td>
                        {row.medicines.map((one, index) => (
                          <div key={index}>
                            {one.medicineName} <span className="kq-muted">{one.spec}</span>
                            {one.isRx && <span className="pa-tag">处方药</span>}
                          </div>
                        ))}
                      </td>
                      <td>
                        {row.medicines.map((one, index) => (
                          <div key={index}>{usage(one)}</div>
                        ))}
                        {row.note && <div className="kq-muted">医嘱：{row.note}</div>}
                      </td>
                      <td className="pa-nowrap">
                        {row.medicines.map((one, index) => (
                          <div key={index}>
                            {one.days}天 {one.quantity}
                            {one.unit}
                          </div>
                        ))}
                      </td>
                      <td className="pa-nowrap">{row.doctorName}</td>
                      <td className="pa-nowrap">
                        <Dict of={suggestionMachine.dictionary} code={row.status} />
                        {invalid && <div className="pa-note">{invalid}</div>}
                      </td>
                    </tr>
                  );
                })}
            </tbody>
          </table>
        )}
      </MoreList>
    </>
  );
}
