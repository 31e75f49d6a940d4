// The script of the documentation. Every page can be read without it.
import './docs.css';
import { enableCode } from './code.ts';
import { enableHeader } from './header.ts';
import { enableSearch } from './search.ts';
import { enableTryForm } from './try-form.ts';

enableHeader();
enableSearch();
enableCode();
for (const form of document.querySelectorAll<HTMLFormElement>('form.try')) enableTryForm(form);
