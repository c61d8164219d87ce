import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '#kernel/web/theme/base.css';
import { cssVariables, light } from '#kernel/web/theme/tokens.ts';
import { FillPage } from './FillPage.tsx';

// The entry of `form.html`: patients who came by the link of a questionnaire. No session, no shell.
for (const [name, value] of Object.entries(cssVariables(light))) document.documentElement.style.setProperty(name, value);
const root = document.getElementById('root');
if (!root) throw new Error('form.html has no root');
createRoot(root).render(
  <StrictMode>
    <FillPage token={new URLSearchParams(location.search).get('token') ?? '-'} />
  </StrictMode>,
);
