import { Button, Select } from 'antd';
import { useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import type * as z from 'zod/mini';
import { factsOf, type FieldFacts } from '#kernel/contract/field.ts';
import { cellText, cellValue } from './cellText.ts';
import './sheet.css';

interface RowsInputProps<Row extends object> {
  /** Schema of a row: labels, kinds and dictionaries of the columns. */
  of: z.ZodMiniType;
  columns: readonly (keyof Row & string)[];
  /** Choices of a column that its schema does not name. */
  choices?: Partial<Record<keyof Row & string, readonly { value: string; label: string }[]>>;
  widths?: Partial<Record<keyof Row & string, number>>;
  rows: readonly Row[];
  onChange(rows: Row[]): void;
  blank(): Row;
  /** What the table is called for those who hear it. */
  label: string;
  addLabel: string;
  most: number;
  /** What is wrong with a cell. */
  faultAt?(index: number, key: string): string | undefined;
}

interface CellProps {
  facts: FieldFacts;
  choices: readonly { value: string; label: string }[] | undefined;
  value: unknown;
  label: string;
  fault: string | undefined;
  place: string;
  onValue(value: unknown): void;
  onKey(event: KeyboardEvent<HTMLElement>): void;
  onPaste(event: ClipboardEvent<HTMLElement>): void;
}

function SheetCell({ facts, choices, value, label, fault, place, onValue, onKey, onPaste }: CellProps) {
  const [typing, setTyping] = useState<string | null>(null);
  const [wrong, setWrong] = useState(false);
  const shared = { 'aria-label': label, 'data-cell': place, onKeyDown: onKey, onPaste, title: fault };
  const bad = fault !== undefined || wrong;
  const options = choices ?? (facts.kind === 'dict' ? facts.dictionary?.options : undefined);
  if (facts.kind === 'dicts' || (choices && Array.isArray(value)))
    return (
      <Select<string[]>
        aria-label={label}
        mode="multiple"
        className="kq-wide"
        {...(bad && { status: 'error' as const })}
        maxTagCount="responsive"
        value={Array.isArray(value) ? value.map(String) : []}
        options={(choices ?? facts.dictionary?.options ?? []).map((one) => ({ value: one.value, label: one.label }))}
        optionFilterProp="label"
        placeholder="请选择"
        onChange={(next) => onValue(next)}
      />
    );
  if (facts.kind === 'flag')
    return (
      <input {...shared} type="checkbox" className="kq-check" checked={value === true} onChange={({ target }) => onValue(target.checked)} />
    );
  if (options)
    return (
      // The browser's own: hundreds of cells stand in one table, and each of antd's selects costs as much as the rest of its row.
      <select
        {...shared}
        className={bad ? 'ins-cell ins-cell-bad' : 'ins-cell'}
        value={typeof value === 'string' ? value : ''}
        onChange={({ target }) => onValue(target.value === '' ? null : target.value)}
      >
        {(choices || typeof value !== 'string') && <option value="">{choices ? '（无）' : '请选择'}</option>}
        {options.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </select>
    );
  const take = (text: string) => {
    setTyping(text);
    const read = cellValue(facts, text);
    setWrong(read === undefined);
    if (read !== undefined) onValue(facts.kind === 'text' ? (read ?? '') : read);
  };
  return (
    <input
      {...shared}
      className={`ins-cell${bad ? ' ins-cell-bad' : ''}${facts.kind === 'text' ? '' : ' ins-cell-number'}`}
      inputMode={facts.kind === 'text' ? 'text' : 'decimal'}
      autoComplete="off"
      value={typing ?? cellText(facts, value)}
      onChange={({ target }) => take(target.value)}
      onBlur={() => {
        setTyping(null);
        setWrong(false);
      }}
    />
  );
}

const unitOf = ({ kind }: FieldFacts) => (kind === 'money' ? '（元）' : kind === 'rate' ? '（%）' : '');

/**
 * Rows typed like a sheet: Enter goes to the next row and makes one after the last, Tab to the next cell, Ctrl+D takes the value above,
 * and what is copied from Excel is pasted over cells and rows.
 */
export function RowsInput<Row extends object>(props: RowsInputProps<Row>) {
  const { of, columns, rows, onChange, blank, label, addLabel, most, faultAt, choices, widths } = props;
  const box = useRef<HTMLDivElement>(null);
  const facts = columns.map((key) => factsOf(of, key));
  const choicesOf = (key: keyof Row & string) => choices?.[key];
  const widthOf = (key: keyof Row & string) => widths?.[key];
  const put = (index: number, key: keyof Row & string, value: unknown) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, [key]: value } : row)));
  const focus = (index: number, column: number) =>
    setTimeout(() => box.current?.querySelector<HTMLElement>(`[data-cell="${index}:${column}"]`)?.focus(), 0);
  const add = () => {
    if (rows.length >= most) return;
    onChange([...rows, blank()]);
    focus(rows.length, 0);
  };
  const onKey = (index: number, column: number) => (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && !event.ctrlKey) {
      event.preventDefault();
      if (index + 1 < rows.length) focus(index + 1, column);
      else add();
    }
    if (event.key === 'd' && event.ctrlKey && index > 0) {
      event.preventDefault();
      const key = columns[column]!;
      put(index, key, rows[index - 1]![key]);
    }
  };
  const onPaste = (index: number, column: number) => (event: ClipboardEvent<HTMLElement>) => {
    const text = event.clipboardData.getData('text/plain');
    if (!/[\t\n]/.test(text.trim())) return;
    event.preventDefault();
    const lines = text
      .replace(/\r/g, '')
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => line.split('\t'));
    const next = [...rows];
    for (const [down, cells] of lines.entries()) {
      if (index + down >= most) break;
      const row: Partial<Row> = { ...(next[index + down] ?? blank()) };
      for (const [right, cell] of cells.entries()) {
        const key = columns[column + right];
        const known = facts[column + right];
        if (!key || !known) continue;
        const read = cellValue(known, cell);
        if (read !== undefined) Object.assign(row, { [key]: known.kind === 'text' ? (read ?? '') : read });
      }
      next[index + down] = { ...(next[index + down] ?? blank()), ...row };
    }
    onChange(next);
  };
  return (
    <div className="ins-sheet" ref={box}>
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map((key, at) => (
              <th key={key} style={{ width: widthOf(key) }} scope="col">
                {facts[at]!.label}
                {unitOf(facts[at]!)}
              </th>
            ))}
            <th className="ins-sheet-act" scope="col">
              操作
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.length === 0 && (
            <tr>
              <td colSpan={columns.length + 1} className="kq-muted ins-sheet-none">
                暂无内容，点击“{addLabel}”
              </td>
            </tr>
          )}
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((key, column) => (
                <td key={key}>
                  <SheetCell
                    facts={facts[column]!}
                    choices={choicesOf(key)}
                    value={row[key]}
                    label={`${label}第${index + 1}行${facts[column]!.label}`}
                    fault={faultAt?.(index, key)}
                    place={`${index}:${column}`}
                    onValue={(value) => put(index, key, value)}
                    onKey={onKey(index, column)}
                    onPaste={onPaste(index, column)}
                  />
                </td>
              ))}
              <td className="ins-sheet-act">
                <Button type="link" size="small" danger onClick={() => onChange(rows.filter((_row, at) => at !== index))}>
                  移除
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Button size="small" onClick={add} disabled={rows.length >= most}>
        {addLabel}
      </Button>
    </div>
  );
}
