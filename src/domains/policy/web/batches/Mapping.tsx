import { Alert, Select } from 'antd';
import { listTargets, type ListTarget } from '../../contract/batchDictionaries.ts';
import type { TriedTemplate } from '../../contract/calls/templates.ts';
import { headerKey, type Layout } from '../../contract/rules/template.ts';
import './batches.css';

/** The columns after a header became another field, or none. */
function remapped({ layout, headers, mapped }: TriedTemplate, place: number, target: ListTarget | null): Layout {
  const header = headers[place] ?? '';
  const before = mapped[place];
  const others = layout.columns
    .filter((column) => column.target !== target)
    .flatMap((column) => {
      if (column.target !== before) return [column];
      const headerAliases = column.headerAliases.filter((one) => headerKey(one) !== headerKey(header));
      return headerAliases.length === 0 ? [] : [{ ...column, headerAliases }];
    });
  if (target === null) return { ...layout, columns: others };
  const known = layout.columns.find((column) => column.target === target);
  const column = known ?? { target, required: false, format: 'yyyy-MM-dd' as const, dict: {}, transforms: ['TRIM' as const] };
  return { ...layout, columns: [...others, { ...column, headerAliases: [header] }] };
}

interface Props {
  tried: TriedTemplate;
  reading: boolean;
  /** Whether the list says of which policies its persons are, or one was chosen. */
  placed: boolean;
  onChange(layout: Layout): void;
}

/** Which column of the file is which field, over its first rows as they are understood. */
export function Mapping({ tried, reading, placed, onChange }: Props) {
  const { headers, mapped, missing, elsewhere, unknown, rows } = tried;
  const options = listTargets.options.map(({ value, label }) => ({ value, label }));
  return (
    <div className="pol-map" aria-busy={reading}>
      {missing.length > 0 && (
        <Alert
          type="error"
          showIcon
          title={`缺少必填列：${missing.join('、')}`}
          description={elsewhere.length > 0 ? `工作表“${elsewhere.join('”“')}”有这些列，请返回上一步选择该工作表` : undefined}
        />
      )}
      {!placed && <Alert type="error" showIcon title="请设置保单号列，或返回上一步选择保单" />}
      {unknown.length > 0 && <Alert type="warning" showIcon title={`未识别的列不会导入：${unknown.join('、')}`} />}
      <div className="pol-map-table">
        <table>
          <thead>
            <tr>
              <th scope="col">行号</th>
              {headers.map((header, place) => (
                <th key={place} scope="col" className={mapped[place] ? '' : 'pol-unmapped'}>
                  <span>{header || `第${place + 1}列`}</span>
                  <Select<ListTarget>
                    aria-label={`“${header}”对应的字段`}
                    className="kq-wide"
                    allowClear
                    showSearch={{ optionFilterProp: 'label' }}
                    value={mapped[place] ?? null}
                    placeholder="不导入"
                    options={options}
                    onChange={(target?: ListTarget) => onChange(remapped(tried, place, target ?? null))}
                  />
                </th>
              ))}
              <th scope="col">读取结果</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.rowNo}>
                <td>{row.rowNo}</td>
                {row.cells.map((cell, place) => (
                  <td
                    key={place}
                    className={
                      row.faults.some(({ header }) => header !== '' && headerKey(header) === headerKey(headers[place] ?? ''))
                        ? 'pol-bad'
                        : ''
                    }
                  >
                    {cell}
                  </td>
                ))}
                <td>{row.faults.map(({ message }) => message).join('；') || '可读取'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
