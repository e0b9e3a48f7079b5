PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
DEMO ?= demo
BENCH ?= bench
ARGUMENT ?= An anonymous tip can create reasonable suspicion even though it predicts nothing.
QUERY ?= mutual liability cap with a carve-out for gross negligence
PROPOSITION ?= cap:9100020/0@5910
ONLY ?=
SAMPLE ?= 25
SEED ?= 1
WORKERS ?= 1
MINUTES ?= 10
OPINIONS ?= ../shared/data/courtlistener-scotus
# exact versions; `make test LOCK=` takes the newest that pyproject.toml allows
LOCK ?= -c constraints.txt

.PHONY: install lint test site wheel-check demo bench mutants fuzz lock clean

install: $(VENV)/.installed

# torch first, in the lock's version: a build for the CPU that lies at hand satisfies it
$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet $(LOCK) "$$(grep -o '^torch==[^ ;]*' constraints.txt)"
	$(BIN)/python -m pip install --quiet $(LOCK) -e '.[all,dev,docs]'
	touch $@

# constraints.txt anew, for every Python and platform; versions stay that still fit, with UPGRADE=--upgrade they are raised
lock: install
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --all-extras --no-annotate \
		--custom-compile-command 'make lock' $(UPGRADE) pyproject.toml -o constraints.txt

lint: install
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/hadolint Dockerfile

# the documentation as web pages; nothing is fetched, and a link that leads nowhere is an error
site: install
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --site-dir site

# the wheel in empty environments: with the core alone, and with each extra alone; EXTRAS="core web" are some of them
wheel-check: install
	$(BIN)/python tools/wheel_check.py $(EXTRAS)

# two processes of one thread each, a fifth quicker than of two; JOBS=0 for one process, which also shows what is printed
JOBS ?= 2
test: lint
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder

# all but what takes more than two seconds and says why: a minute or two
.PHONY: unit
unit: install
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder -m "not slow"

demo: install
	$(BIN)/lawng corpus import sample/caselaw -o $(DEMO)/corpus
	$(BIN)/lawng build $(DEMO)/corpus -o $(DEMO)/build --hypotheses both
	$(BIN)/lawng funnel $(DEMO)/build
	$(BIN)/lawng stats $(DEMO)/build
	$(BIN)/lawng show $(DEMO)/build --random 1 --corpus $(DEMO)/corpus
	$(BIN)/lawng show $(DEMO)/build $(PROPOSITION) --corpus $(DEMO)/corpus
	$(BIN)/lawng index $(DEMO)/corpus -o $(DEMO)/index
	$(BIN)/lawng search $(DEMO)/index "$(ARGUMENT)" -k 3
	$(BIN)/lawng clauses sample/contracts/files "$(QUERY)" -k 2
	$(BIN)/lawng build booqa sample/news -o $(DEMO)/booqa --min-articles 3 --min-predicates 4 --min-pairs 4 --buckets 6,8,10,12
	$(BIN)/lawng study booqa --data $(DEMO)/booqa -o $(DEMO)/booqa-study
	@echo "The corpus is in $(DEMO)/corpus, the data set in $(DEMO)/build/data, its card in $(DEMO)/build/README.md."
	@echo "The index is in $(DEMO)/index; for the page: $(BIN)/lawng serve $(DEMO)/index"

# needs a folder of real opinions as CourtListener has them; some twenty minutes
bench: install
	$(BIN)/lawng corpus import $(OPINIONS) -o $(BENCH)/corpus
	$(BIN)/python benchmarks/citations.py $(BENCH)/corpus
	$(BIN)/python benchmarks/on_page.py $(BENCH)/corpus
	$(BIN)/python benchmarks/bm25_paragraphs.py $(OPINIONS)/raw_opinions
	$(BIN)/python benchmarks/score_gold.py
	$(BIN)/python benchmarks/build_scaling.py $(OPINIONS)

# the models that come with lawng, from opinions and from arguments written on them: hours on two cores, goes on where it stopped
MODELS ?= build/models
# fp32 where processors have no fast bf16: Intel's without AMX take twice as long in it
PRECISION ?= bf16
ACORD ?= ../shared/data/acord
API_OPINIONS ?= ../shared/data/courtlistener-api-scotus
TEXTS := --corpus $(MODELS)/corpus --excerpts benchmarks/data/excerpts-1.jsonl
MORE := --excerpts benchmarks/data/excerpts-2.jsonl
GROUPS := --groups benchmarks/data/clauses/groups-1.jsonl --groups benchmarks/data/clauses/groups-2.jsonl
MARKED := --marked benchmarks/data/clauses/marked.jsonl --marked benchmarks/data/clauses/phrases.jsonl
MORE_GROUPS := --groups benchmarks/data/clauses/groups-3.jsonl
AS_RERANKER := --only-groups --loss listwise --lr 1e-4 --runs 1 --updates 230 --updates 460 --updates 690 --updates 920 --focus 90 --max-length 160 --freeze-words --dropout 0 --precision $(PRECISION)
# all-mpnet-base-v2, which the judge begins with: a Hub name, or a folder
MPNET ?= sentence-transformers/all-mpnet-base-v2
MNLI ?= ../shared/data/nli/docnli-binary
AS_JUDGE := --corpus $(MODELS)/corpus --statements 0 --epochs 1 --batch 32 --max-length 128 --dropout 0 --precision $(PRECISION)
ON := --excerpts benchmarks/data/
.PHONY: models judge
models: judge
	$(BIN)/lawng build $(MODELS)/corpus -o $(MODELS)/build --hypotheses both
	$(BIN)/lawng train retriever -o $(MODELS)/finder --build $(MODELS)/build $(TEXTS) --freeze-layers 2
	$(BIN)/lawng train reranker -o $(MODELS)/reranker $(TEXTS) $(MORE) --updates 400 --freeze-layers 2
	$(BIN)/lawng train clause-encoder -o $(MODELS)/clause-finder --data $(ACORD) $(GROUPS) $(MORE_GROUPS) $(MARKED) --precision $(PRECISION)
	$(BIN)/lawng train relevance -o $(MODELS)/clause-reranker --data $(ACORD) $(GROUPS) $(MORE_GROUPS) $(AS_RERANKER)
	$(BIN)/lawng train roles -o src/lawng/search/roles.json $(TEXTS) $(MORE) --excerpts benchmarks/data/excerpts-held-out.jsonl
	$(BIN)/lawng train subjects --data $(ACORD) $(GROUPS) $(MORE_GROUPS) --encoder $(MODELS)/clause-finder/onnx
	$(BIN)/python tools/ship_models.py $(MODELS) src/lawng/models/shipped

# of these the judge alone: general inference first, then claims on passages; what knows both teaches two fifths of its weights
judge: install
	$(BIN)/lawng corpus import $(OPINIONS) $(API_OPINIONS) -o $(MODELS)/corpus
	$(BIN)/lawng train nli -o $(MODELS)/general --base $(MPNET) $(AS_JUDGE) --lr 4e-5 --data $(MNLI)/mnli-dev.txt --data $(MNLI)/mnli-test.txt $(ON)sentences-1.jsonl
	$(BIN)/lawng train nli -o $(MODELS)/teacher --base $(MODELS)/general $(AS_JUDGE) --lr 3e-5 --freeze-layers 2 $(ON)passages-4.jsonl
	$(BIN)/lawng train nli -o $(MODELS)/judge --base $(MODELS)/teacher $(AS_JUDGE) --lr 1e-4 --distil 0.4 --small $(ON)passages-2.jsonl $(ON)excerpts-1.jsonl $(ON)excerpts-2.jsonl

# plants faults and sees which tests notice: of each room, or ONLY="citations nli" or ONLY=planted; half an hour, goes on where it stopped
mutants: install
	$(BIN)/python tools/mutants $(ONLY) --sample $(SAMPLE) --seed $(SEED) --workers $(WORKERS)

# mutates real samples and looks for tracebacks and hangs: of each reader and parser, or ONLY="zip cap-html"
fuzz: install
	$(BIN)/python tools/fuzz/fuzz.py --minutes $(MINUTES) --seed $(SEED) $(if $(ONLY),--only $(ONLY))

clean:
	rm -rf $(DEMO) .pytest_cache .mypy_cache .ruff_cache
