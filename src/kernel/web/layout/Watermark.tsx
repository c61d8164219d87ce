import { useEffect, useMemo, useState } from 'react';
import { instantOf, showInstant } from '../../contract/time.ts';
import { useSession } from '../session/store.ts';
import { useTheme } from '../theme/ThemeRoot.tsx';

const MINUTE_MS = 60_000;

const escape = (text: string) => text.replaceAll(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Name, operator number and time over every page, so that a photograph names who took it. */
export function Watermark() {
  const { userName, opNo, watermark } = useSession();
  const isDark = useTheme((state) => state.name === 'dark');
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  const minute = showInstant(instantOf(now)).slice(0, 16);
  const image = useMemo(() => {
    const ink = isDark ? 'rgba(255,255,255,.05)' : 'rgba(20,50,62,.055)';
    const text = (y: number, content: string) =>
      `<text x="150" y="${y}" text-anchor="middle" fill="${ink}" font-size="13" font-family="sans-serif">${escape(content)}</text>`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><g transform="rotate(-30 150 100)">${text(95, `${userName} ${opNo ?? ''}`)}${text(114, minute)}</g></svg>`;
    return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`;
  }, [isDark, userName, opNo, minute]);
  if (!watermark || !userName) return null;
  return <div className="kq-watermark" style={{ backgroundImage: image }} aria-hidden />;
}
