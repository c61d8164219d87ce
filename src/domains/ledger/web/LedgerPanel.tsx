import { Segmented, Tabs } from 'antd';
import { lazy, Suspense, useMemo, useState, type ComponentType } from 'react';
import type { LedgerPanelProps, LedgerTab } from '#kernel/web/kit/ledgerPanelPlace.ts';
import { PartLine } from '#kernel/web/kit/PartLine.tsx';
import { TableFailure, Waiting } from '#kernel/web/kit/TableState.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { PartOfPage } from '#kernel/web/tabs/page.tsx';
import { books, type Book } from '../contract/books.ts';
import { ledgerPermissions as may } from '../contract/permissions.ts';
import { isWhole, PanelContext, useChart, type PanelScope } from './panel.ts';
import './ledger.css';

interface Part {
  key: LedgerTab;
  label: string;
  permission: { code: string };
  /** Of a whole book, never of some of its accounts. */
  whole?: true;
  content: ComponentType;
}

const parts: readonly Part[] = [
  {
    key: 'accounts',
    label: '账户',
    permission: may['account.view'],
    content: lazy(async () => ({ default: (await import('./accounts/Accounts.tsx')).Accounts })),
  },
  {
    key: 'entries',
    label: '流水',
    permission: may['account.view'],
    content: lazy(async () => ({ default: (await import('./transfers/Entries.tsx')).Entries })),
  },
  {
    key: 'holds',
    label: '预占',
    permission: may['account.view'],
    content: lazy(async () => ({ default: (await import('./Holds.tsx')).Holds })),
  },
  {
    key: 'lots',
    label: '额度批次',
    permission: may['account.view'],
    content: lazy(async () => ({ default: (await import('./Lots.tsx')).Lots })),
  },
  {
    key: 'adjustments',
    label: '调账',
    permission: may['account.view'],
    whole: true,
    content: lazy(async () => ({ default: (await import('./adjustments/Adjustments.tsx')).Adjustments })),
  },
  {
    key: 'proofs',
    label: '平衡检查',
    permission: may['proof.view'],
    whole: true,
    content: lazy(async () => ({ default: (await import('./proofs/Proofs.tsx')).Proofs })),
  },
];

/** Books in which pages offer them. */
const ORDER: readonly Book[] = ['DOCTOR', 'CARD', 'INSURER'];

function scopeOf(book: Book, part: string): PanelScope {
  const given = JSON.parse(part) as { accountNos: string[] } | { ownerType: string; ownerId: string } | null;
  return { book, ...given };
}

interface ShownProps {
  book: Book;
  /** As JSON: pages write it anew with every render. */
  part: string;
  tabs: LedgerPanelProps['tabs'];
}

function Shown({ book, part, tabs }: ShownProps) {
  const scope = useMemo(() => scopeOf(book, part), [book, part]);
  const holds = useMay();
  const chosen = tabs ? tabs.flatMap((key) => parts.filter((part) => part.key === key)) : parts;
  const shown = chosen.filter(({ permission, whole }) => holds(permission) && (!whole || isWhole(scope)));
  const [key, setKey] = useState(shown[0]?.key);
  const active = shown.find((part) => part.key === key) ?? shown[0];
  if (!active) return <div className="kq-empty">当前角色没有可查看的内容</div>;
  const Content = active.content;
  return (
    <PanelContext value={scope}>
      <PartLine
        tabs={
          shown.length > 1 && (
            <Tabs
              size="small"
              activeKey={active.key}
              items={shown.map((part) => ({ key: part.key, label: part.label }))}
              onChange={(next) => setKey(shown.find((part) => part.key === next)?.key)}
            />
          )
        }
      >
        {/* Filters of one tab mean nothing to the other, nor to the page around them. */}
        <div className="kq-part" key={active.key}>
          <PartOfPage>
            <Suspense fallback={<div className="kq-loading" />}>
              <Content />
            </Suspense>
          </PartOfPage>
        </div>
      </PartLine>
    </PanelContext>
  );
}

/** 账簿: fills the place of the ledger's panel. */
export default function LedgerPanel({ book, scope, tabs }: LedgerPanelProps) {
  const chart = useChart();
  const [switched, setSwitched] = useState<Book | null>(null);
  const seen = ORDER.filter((one) => chart.data?.some((found) => found.book === one));
  const asked = seen.find((one) => one === book);
  const active = book === undefined ? (seen.find((one) => one === switched) ?? seen[0]) : asked;
  const text = JSON.stringify(scope ?? null);
  if (chart.error) return <TableFailure error={chart.error} onRetry={() => void chart.refetch()} />;
  if (!chart.data) return <Waiting for={chart} />;
  if (active === undefined) return <div className="kq-empty">当前角色不能查看该账簿</div>;
  return (
    <div className="kq-parts kq-ledger">
      {book === undefined && seen.length > 1 && (
        <Segmented<Book>
          className="kq-ledger-books"
          value={active}
          options={seen.map((one) => ({ value: one, label: books.label(one) }))}
          onChange={setSwitched}
        />
      )}
      <Shown key={`${active}:${text}`} book={active} part={text} tabs={tabs} />
    </div>
  );
}
