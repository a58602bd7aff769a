// Checks the modules of the page. Prints each fault and ends with status 1 where there is one.
//
// What is checked:
// - types: TypeScript finds no fault in the modules and in the service worker, as tsconfig.json and worker.json ask
// - the module graph: no circles, not even by `import()`
// - functions have at most 120 lines
// - exports: another module or a test uses each
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const mostLines = 120;
const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../../..');
const page = join(root, 'Services/Web/Public');
// The package of Debian, by its path: a Node that does not come from Debian does not look there.
const ts = createRequire(import.meta.url)('/usr/share/nodejs/typescript');
let isFaulty = false;

/** Prints a fault with the places where it was found. */
function report(title, places) {
  if (!places.length) return;
  isFaulty = true;
  console.error([`lint: ${title}`, ...places.map((place) => `  ${place}`)].join('\n'));
}

/** Returns the files below a folder with one of some endings. */
function filesIn(folder, ...endings) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path, ...endings);
    return endings.some((ending) => entry.name.endsWith(ending)) ? [path] : [];
  }).sort();
}

/** Returns the place of a position in a file, as `Services/Web/Public/app.js:12`. */
function placeOf(file, position) {
  return `${relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition(position).line + 1}`;
}

/** Checks what a configuration names. Returns its program. */
function checkTypes(configuration) {
  const path = join(here, configuration);
  const { config, error } = ts.readConfigFile(path, ts.sys.readFile);
  const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config ?? {}, ts.sys, here);
  const program = ts.createProgram(fileNames, options);
  const found = [...error ? [error] : [], ...errors, ...ts.getPreEmitDiagnostics(program)];
  report(`The types of the page do not fit (${configuration}):`, found.map(({ file, start, messageText }) =>
    `${file ? `${placeOf(file, start)}: ` : ''}${ts.flattenDiagnosticMessageText(messageText, '\n    ')}`));
  return program;
}

/** Calls `visit` for a node and all nodes in it. */
function walk(node, visit) {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** Returns the modules that a module imports, at once or by `import()`, by their paths. */
function importsOf(file) {
  const found = new Set();
  walk(file, (node) => {
    const target = ts.isImportDeclaration(node) || ts.isExportDeclaration(node) ? node.moduleSpecifier
      : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword ? node.arguments[0] : null;
    if (target) found.add(resolve(dirname(file.fileName), target.text));
  });
  return [...found];
}

/** Returns a circle of each set of modules that lead to each other, as a path back to its first one. */
function circlesOf(graph) {
  const reached = new Map([...graph.keys()].map((name) => [name, pathsFrom(graph, name)]));
  const circles = [];
  const done = new Set();
  for (const [name, paths] of reached) {
    if (!paths.has(name) || done.has(name)) continue;
    for (const [other, back] of reached) if (paths.has(other) && back.has(name)) done.add(other);
    circles.push([name, ...paths.get(name)]);
  }
  return circles;
}

/** Returns the shortest path to each module that a module leads to. */
function pathsFrom(graph, name) {
  const paths = new Map();
  const waiting = [[name, []]];
  for (const [one, path] of waiting) {
    for (const next of graph.get(one) ?? []) {
      if (paths.has(next)) continue;
      paths.set(next, [...path, next]);
      waiting.push([next, paths.get(next)]);
    }
  }
  return paths;
}

function checkGraph(files) {
  const graph = new Map(files.map((file) => [file.fileName, importsOf(file)]));
  report('Modules of the page import each other in a circle; let the later one register what the earlier one needs:',
    circlesOf(graph).map((circle) => circle.map((name) => relative(page, name)).join(' → ')));
}

function checkLengths(files) {
  const long = [];
  for (const file of files) {
    walk(file, (node) => {
      if (!ts.isFunctionLike(node) || !node.body) return;
      const lines = [node.getStart(file), node.end].map((at) => file.getLineAndCharacterOfPosition(at).line);
      const count = lines[1] - lines[0] + 1;
      if (count > mostLines) long.push(`${placeOf(file, node.getStart(file))}: ${count}`);
    });
  }
  report(`A function of the page over ${mostLines} lines is state, what is drawn and what answers; cut it:`, long);
}

/** Returns the names that a module exports where it declares them. */
function exportsOf(file) {
  return file.statements.filter((node) => node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .flatMap((node) => (node.declarationList?.declarations ?? [node]).map(({ name }) => name));
}

function checkExports(files) {
  const tests = [...filesIn(join(root, 'Tests/Web'), '.py'), ...filesIn(join(root, 'Tests/Page'), '.mjs')];
  const texts = new Map([...files.map(({ fileName }) => fileName), ...tests]
    .map((name) => [name, new Set(readFileSync(name, 'utf8').match(/\w+/g))]));
  report('No other module uses these exports:', files.flatMap((file) => exportsOf(file)
    .filter(({ text }) => ![...texts].some(([name, words]) => name !== file.fileName && words.has(text)))
    .map((name) => `${placeOf(file, name.getStart(file))}: ${name.text}`)));
}

const program = checkTypes('tsconfig.json');
checkTypes('worker.json');
const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(page) && fileName.endsWith('.js'));
checkGraph(files);
checkLengths(files);
checkExports(files);
process.exitCode = isFaulty ? 1 : 0;
