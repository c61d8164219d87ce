import type { ReactNode } from 'react';
import './entry.css';

interface MessagePageProps {
  title: string;
  /** Fills the window, for pages outside of the main layout. */
  whole?: boolean;
  children?: ReactNode;
  buttons: ReactNode;
}

/** A page that only says something and offers the ways on. */
export function MessagePage({ title, whole = false, children, buttons }: MessagePageProps) {
  // Within the main layout its page is the landmark already.
  const Place = whole ? 'main' : 'div';
  return (
    <Place className={whole ? 'id-message id-page' : 'id-message'}>
      <svg viewBox="0 0 132 72" fill="none" stroke="var(--kq-primary)" strokeWidth="3" aria-hidden="true">
        <path d="M2 58H52M80 58H130" strokeLinecap="round" />
        <path d="M40 12V66M92 12V66" strokeWidth="5" />
        <path d="M4 54C20 46 32 30 40 14C46 26 52 32 58 36M128 54C112 46 100 30 92 14C86 26 80 32 74 36" opacity="0.55" />
        <path d="M58 62L54 70M74 62L78 70" strokeLinecap="round" opacity="0.55" />
      </svg>
      <h1>{title}</h1>
      {children}
      <div className="id-buttons">{buttons}</div>
    </Place>
  );
}
