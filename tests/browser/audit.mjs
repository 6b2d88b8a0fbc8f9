// Opens every page of a folder in a real browser, as different people would, and says what is wrong with it.
//
//     node audit.mjs PAGES [PICTURES]
//
// PICTURES gets a picture of each page in each way. CHROMIUM names another browser than /usr/bin/chromium.

import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const DESK = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };

const WAYS = {
  light: { viewport: DESK },
  dark: { viewport: DESK, colorScheme: 'dark' },
  phone: { viewport: PHONE },
  'phone-dark': { viewport: PHONE, colorScheme: 'dark' },
  print: { viewport: DESK, media: 'print' },
  'print-dark': { viewport: DESK, colorScheme: 'dark', media: 'print' },
  contrast: { viewport: DESK, forcedColors: 'active' },
  'no-script': { viewport: DESK, javaScriptEnabled: false },
};

/// A page of this size is audited in two ways: the audit takes longer than the page.
const LARGE = 200_000;

// These run in the page.

/// What an accessibility audit finds, with every fold open. What it cannot decide is a finding too, but for the colors of text in pictures:
/// `contrast` decides those.
async function audit() {
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  const rules = { 'target-size': { enabled: true } };
  const { violations, incomplete } = await axe.run(document, { resultTypes: ['violations', 'incomplete'], rules });
  const isDecided = ({ id, nodes }) => id === 'color-contrast' && nodes.every((node) => node.html.startsWith('<text'));
  return [...violations, ...incomplete.filter((rule) => !isDecided(rule))].map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(' ')}`);
}

/// The lowest contrast of the palette: an audit does not look into pictures.
function contrast() {
  const style = getComputedStyle(document.documentElement);
  const probe = document.createElement('i');
  document.body.append(probe);
  const color = (name) => {
    probe.style.color = style.getPropertyValue(name);
    return getComputedStyle(probe).color.match(/\d+/g).slice(0, 3).map(Number);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratios = ['--ink', '--soft', '--pass', '--fail', '--wait', '--fault', '--link'].flatMap((text) =>
    ['--page', '--card'].map((ground) => {
      const [dark, bright] = [light(color(text)), light(color(ground))].sort((one, two) => one - two);
      return (bright + 0.05) / (dark + 0.05);
    }),
  );
  probe.remove();
  return Math.min(...ratios);
}

function shape() {
  const count = (selector) => document.querySelectorAll(selector).length;
  const levels = [...document.querySelectorAll('h1, h2, h3')].map((heading) => Number(heading.tagName[1]));
  const faults = [];
  const hold = (claim, fault) => claim || faults.push(fault);
  hold(document.documentElement.lang === 'en', 'no language');
  for (const landmark of ['header', 'main', 'footer', 'h1']) hold(count(landmark) === 1, `${count(landmark)} of ${landmark}`);
  hold(levels.every((level, index) => index === 0 || level <= levels[index - 1] + 1), `headings skip a level: ${levels}`);
  hold(count('table') === count('table > caption'), 'a table without a caption');
  hold(count('th:not([scope])') === 0, 'a head cell without a scope');
  hold([...document.querySelectorAll('svg:not([aria-hidden]):not(svg svg)')].every((svg) => svg.querySelector('title') && svg.querySelector('desc')), 'a picture without words');
  hold(count('script') === 0 && count('iframe') === 0 && count('object') === 0, 'a foreign element');
  hold(document.getAnimations().length === 0, 'something moves');
  hold(document.documentElement.scrollWidth <= innerWidth, `it is ${document.documentElement.scrollWidth} wide and has ${innerWidth}`);
  return faults;
}

// These drive the page.

/// Tab reaches the skip link, which is seen then and leads to the report; folds open by keyboard.
async function keyboard(page) {
  const faults = [];
  await page.keyboard.press('Tab');
  const skip = await page.evaluate(() => document.activeElement.className === 'skip' && document.activeElement.getBoundingClientRect().left >= 0);
  if (!skip) faults.push('the first stop is no visible skip link');
  await page.keyboard.press('Enter');
  if (!(await page.evaluate(() => document.activeElement.tagName === 'MAIN'))) faults.push('the skip link does not lead to the report');
  const fold = page.locator('details').first();
  if (await fold.count()) {
    await fold.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    if (!(await fold.evaluate((element) => element.open))) faults.push('a fold does not open by keyboard');
  }
  return faults;
}

async function look(browser, file, name, way, pictures) {
  const { media, ...options } = WAYS[way];
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const url = pathToFileURL(file).href;
  const faults = [];
  page.on('request', (request) => request.url() === url || faults.push(`asks for ${request.url()}`));
  page.on('console', (message) => faults.push(`says ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`fails: ${error.message}`));
  page.on('dialog', (dialog) => faults.push(`opens a dialog: ${dialog.message()}`) && dialog.dismiss());
  page.on('popup', () => faults.push('opens a window'));
  if (media) await page.emulateMedia({ media });
  await page.goto(url);
  faults.push(...(await page.evaluate(shape)));
  if (!(await page.locator('h1').isVisible()) || !(await page.locator('main').innerText()).trim()) faults.push('nothing is to be read');
  if (!(await page.title()).includes('code-polishy')) faults.push(`the title is ${await page.title()}`);
  if (pictures) await page.screenshot({ path: join(pictures, `${name}-${way}.png`), fullPage: true });
  if (options.javaScriptEnabled !== false) {
    if (!media) faults.push(...(await keyboard(page)));
    await page.evaluate(AXE);
    faults.push(...(await page.evaluate(audit)));
    const lowest = await page.evaluate(contrast);
    if (lowest < 4.5) faults.push(`contrast of ${lowest.toFixed(2)}`);
    faults.push(...(await page.evaluate(shape)));
  }
  await context.close();
  return faults;
}

const [folder, pictures] = process.argv.slice(2);
if (pictures) mkdirSync(pictures, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: QUIET });
let wrong = 0;
let looked = 0;
for (const file of readdirSync(folder).filter((file) => file.endsWith('.html')).sort()) {
  const path = resolve(folder, file);
  const ways = readFileSync(path).length > LARGE ? ['light', 'phone'] : Object.keys(WAYS);
  for (const way of ways) {
    looked += 1;
    for (const fault of await look(browser, path, basename(file, '.html'), way, pictures)) {
      wrong += 1;
      console.log(`${file} (${way}): ${fault}`);
    }
  }
}
await browser.close();
console.log(`${looked} looks, ${wrong} faults`);
process.exit(wrong || !looked ? 1 : 0);
