import { PrinterOutlined } from '@ant-design/icons';
import { Button, Modal } from 'antd';
import { useEffect, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Cell } from './Cell.tsx';
import type { Column } from './columns.ts';
import './statementSheet.css';

interface StatementProps<Row extends object> {
  title: string;
  /** Period, number, who it is for. */
  facts: readonly { label: string; value: ReactNode }[];
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Last line: the value under each column, by its key. */
  totals?: Readonly<Record<string, ReactNode>>;
  /** Under the table: who made it, signatures. */
  foot?: ReactNode;
}

const RIGHT = new Set(['money', 'number', 'rate']);

/** A statement on paper: head, facts, lines, sums. */
function Statement<Row extends object>({ title, facts, columns, rows, totals, foot }: StatementProps<Row>) {
  const align = (column: Column<Row>) => (RIGHT.has(column.kind ?? '') ? 'kq-statement-right' : undefined);
  return (
    <article className="kq-statement">
      <h2>{title}</h2>
      <dl>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} className={align(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {columns.map((column) => (
                <td key={column.key} className={align(column)}>
                  <Cell column={column} row={row} />
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td colSpan={columns.length} className="kq-statement-empty">
                本期没有发生额
              </td>
            </tr>
          )}
        </tbody>
        {totals && (
          <tfoot>
            <tr>
              {columns.map((column) => (
                <td key={column.key} className={align(column)}>
                  {totals[column.key]}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
      {foot && <footer>{foot}</footer>}
    </article>
  );
}

/** The statement alone, for the printer; everything else of the page is left out. */
function Printed({ children, onDone }: { children: ReactNode; onDone(): void }) {
  useEffect(() => {
    document.body.classList.add('kq-printing');
    window.addEventListener('afterprint', onDone, { once: true });
    window.print();
    return () => {
      document.body.classList.remove('kq-printing');
      window.removeEventListener('afterprint', onDone);
    };
  }, [onDone]);
  return createPortal(<div className="kq-print-root">{children}</div>, document.body);
}

/** A statement in a dialog, with 打印. */
export function StatementSheet<Row extends object>({ onClose, ...statement }: StatementProps<Row> & { onClose(): void }) {
  const [printing, setPrinting] = useState(false);
  const [done] = useState(() => () => setPrinting(false));
  return (
    <Modal
      open
      width={960}
      title={statement.title}
      onCancel={onClose}
      footer={
        <Button type="primary" icon={<PrinterOutlined />} onClick={() => setPrinting(true)}>
          打印
        </Button>
      }
    >
      <Statement {...statement} />
      {printing && (
        <Printed onDone={done}>
          <Statement {...statement} />
        </Printed>
      )}
    </Modal>
  );
}
