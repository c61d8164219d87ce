import type { ReactNode } from 'react';
import './entry.css';

interface EntryFrameProps {
  title: string;
  subtitle?: string;
  wide?: boolean;
  children: ReactNode;
}

/** The bridge of the product's name, and one card beside it. */
export function EntryFrame({ title, subtitle, wide = false, children }: EntryFrameProps) {
  return (
    <div className="id-entry">
      <aside className="id-brand">
        <h1>康桥</h1>
        <p>健康服务与保险产品运营管理平台。连接患者、医生与保险，让每一次随访、审核与赔付都有据可查。</p>
        <svg viewBox="0 0 800 260" preserveAspectRatio="none" aria-hidden="true" fill="none" stroke="#6fb3c2" strokeWidth="2">
          <path d="M0 210H800M0 222H800" strokeWidth="3" />
          <path d="M250 20V260M550 20V260" strokeWidth="8" stroke="#4c93a4" />
          <path d="M0 190C90 170 180 110 250 26C330 170 470 170 550 26C620 110 710 170 800 190" strokeWidth="3" />
          {Array.from({ length: 31 }, (_, index) => {
            const x = 12 + index * 26;
            const near = Math.min(Math.abs(x - 250), Math.abs(x - 550));
            const top = x > 250 && x < 550 ? 26 + 108 * (near / 150) : 26 + 164 * Math.min(1, near / 250);
            return <path key={x} d={`M${x} ${Math.min(206, top).toFixed(0)}V210`} strokeWidth="1" />;
          })}
        </svg>
      </aside>
      <main className="id-panel">
        <div className={wide ? 'id-card id-wide' : 'id-card'}>
          <h2>{title}</h2>
          <p className="id-sub">{subtitle ?? '请使用公司分配的员工账号'}</p>
          {children}
        </div>
      </main>
    </div>
  );
}
