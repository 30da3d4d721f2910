;;; parley-field.el --- Fields in the minibuffer  -*- lexical-binding: t; -*-

;;; Commentary:

;; What is wrong with a value shows while it is typed.  What a field has already,
;; or begins with, is the default: RET takes it, M-n brings it to be changed.
;;
;; A value is a plist (:text STRING) or (:chosen VECTOR), with the :type that was
;; picked of a union, nil for none.

;;; Code:

(require 'parley-questions)

(defvar parley--type nil
  "Which type of a union what is read is a value of, from 1; nil for no union.")

(defun parley--typed (value)
  "VALUE, or nil for none, as one of the type that was picked."
  (if parley--type (append (list :type parley--type) value) value))

(defun parley--encode (value)
  "VALUE as the helper wants it."
  (or value (make-hash-table)))

(defun parley--problem (form index value)
  "What is wrong with VALUE for the field INDEX of FORM, or nil."
  (plist-get (parley--ask-helper 'validate `(:form ,form :field ,index :value ,(parley--encode (parley--typed value))))
             :problem))

(defun parley--watch (form index one)
  "Show behind what is typed what is wrong with it for the field INDEX of FORM.
With ONE it is one value of a list."
  (let ((overlay (make-overlay (point-max) (point-max) nil t t))
        (last nil))
    (add-hook 'post-command-hook
              (lambda ()
                (let ((typed (minibuffer-contents-no-properties))
                      (buffer (current-buffer)))
                  (unless (equal typed last)
                    (setq last typed)
                    (jsonrpc-async-request
                     (parley--connect) 'validate
                     `(:form ,form :field ,index :one ,(or one :json-false)
                       :value ,(parley--encode (parley--typed (and (not (string-empty-p typed)) `(:text ,typed)))))
                     :error-fn #'ignore
                     :success-fn
                     (lambda (result)
                       (when (and (buffer-live-p buffer) (equal typed last))
                         (with-current-buffer buffer
                           (let ((problem (plist-get result :problem)))
                             (move-overlay overlay (point-max) (point-max))
                             (overlay-put overlay 'after-string
                                          (and problem (not (string-empty-p typed))
                                               (propertize (concat " [" problem "]") 'face 'parley-problem 'cursor 0)))))))))))
              nil t)))

(defvar parley-history nil "What was typed into fields.")

(defconst parley--default-width 40 "How many columns of a default its prompt shows.")

(defun parley--prompt (problem field default &optional aside)
  "The prompt of FIELD after PROBLEM, where RET takes DEFAULT; both may be nil.
ASIDE is said beside the default."
  (concat (when problem (concat (propertize problem 'face 'parley-problem) ". "))
          (plist-get field :label)
          (when default
            (format " (default %s%s)"
                    (truncate-string-to-width default parley--default-width nil nil "…")
                    (if aside (concat ", " aside) "")))
          ": "))

(defun parley--leave-out ()
  "Leave the field out, in place of its default."
  (interactive)
  (throw 'parley--nothing nil))

(defvar parley--text-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-k") #'parley--leave-out)
    map)
  "Keys of a field whose text has a default.")

(defun parley--read-line (form index prompt typed default &optional one)
  "Read a line with PROMPT for the field INDEX of FORM, TYPED to begin with.
RET alone takes DEFAULT.  With ONE it is one value of a list.  Return nil if the
field is left out."
  (catch 'parley--nothing
    (let ((line (minibuffer-with-setup-hook
                    (lambda ()
                      (parley--watch form index one)
                      (when default
                        (use-local-map (make-composed-keymap parley--text-map (current-local-map)))))
                  (read-string prompt typed 'parley-history default))))
      (unless (string-empty-p line) line))))

(defun parley--read-text (form index field value)
  "Read a text for FIELD, the one INDEX of FORM; VALUE is the default."
  (let* ((default (plist-get value :text))
         (shown (when default (parley--words field value)))
         (aside (when (plist-get field :leave) "C-c C-k clears it"))
         typed problem)
    (while
        (progn
          (setq typed (parley--read-line form index (parley--prompt problem field shown aside) typed default))
          (setq value (when typed (list :text typed))
                problem (parley--problem form index value))))
    value))

(defun parley--with-leave (field choices)
  "CHOICES, and the one to choose none of them, where FIELD may be left."
  (append choices
          (when-let ((leave (plist-get field :leave)))
            (list (list (format "(%s)" leave))))))

(defun parley--read-choice (field value)
  "Read one of the options of FIELD; VALUE is the default."
  (let* ((choices (cl-loop for option across (plist-get field :options)
                           for i from 0
                           collect (cons option (list :chosen (vector i)))))
         (default (car (rassoc value choices))))
    (parley--choose (parley--prompt nil field default) (parley--with-leave field choices) default)))

(defun parley--read-choices (form index field value)
  "Read several options of FIELD, the one INDEX of FORM, beginning with VALUE.
RET alone takes what is marked."
  (let* ((options (append (plist-get field :options) nil))
         (chosen (append (plist-get value :chosen) nil))
         problem done)
    (while (not done)
      (let* ((marked (parley--words field (when chosen (list :chosen (vconcat (sort (copy-sequence chosen) #'<))))))
             (picked
              (parley--choose
               (parley--prompt problem field (if chosen marked "none") "mark or unmark")
               (append
                (cl-loop for option in options
                         for i from 0
                         collect (cons (concat (if (memq i chosen) "[x] " "[ ] ") option) i))
                '(("Done" . done)))
               "Done")))
        (if (eq picked 'done)
            (setq value (when chosen (list :chosen (vconcat (sort (copy-sequence chosen) #'<))))
                  problem (parley--problem form index value)
                  done (null problem))
          (setq chosen (if (memq picked chosen) (delq picked chosen) (cons picked chosen))))))
    value))

(defun parley--lines (value)
  "The values of a list: the lines of VALUE."
  (split-string (or (plist-get value :text) "") "\n" t))

(defun parley--read-value (form index field)
  "Read one value of the list FIELD, the one INDEX of FORM; nil for none."
  (let ((prompt (concat (plist-get field :label) ", one more (none to end): "))
        typed problem)
    (while
        (progn
          (setq typed (parley--read-line form index (concat problem prompt) typed nil t))
          (when typed
            (let ((wrong (plist-get (parley--ask-helper 'validate `(:form ,form :field ,index :one t
                                                                    :value ,(parley--typed (list :text typed))))
                                    :problem)))
              (setq problem (when wrong (concat (propertize wrong 'face 'parley-problem) ". ")))))))
    typed))

(defun parley--read-list (form index field value)
  "Read the values of the list FIELD, the one INDEX of FORM, beginning with VALUE.
RET alone takes those that are there."
  (let* ((list (parley--lines value))
         (picked (if list 'look 'add))
         more problem)
    (while (not (eq picked 'done))
      (if (integerp picked)
          (setq list (append (seq-take list picked) (seq-drop list (1+ picked))))
        (while (and (eq picked 'add) (setq more (parley--read-value form index field)))
          (setq list (append list (list more)))))
      (setq value (when list (list :text (string-join list "\n")))
            problem (parley--problem form index value)
            picked (parley--choose
                    (parley--prompt problem field (if list (string-join list ", ") "none") "add or take out")
                    (append '(("Add a value" . add))
                            (cl-loop for one in list
                                     for i from 0
                                     collect (cons (format "Take out %d: %s" (1+ i) one) i))
                            '(("Done" . done)))
                    "Done"))
      (when (and problem (eq picked 'done))
        (setq picked 'look)))
    value))

(defun parley--picked (field value)
  "The type of the union FIELD that VALUE is of, or FIELD."
  (if-let ((type (plist-get value :type)))
      (aref (plist-get field :types) (1- type))
    field))

(defun parley--read-union (form index field value)
  "Read the type of the union FIELD, the one INDEX of FORM, then a value of it.
VALUE is the default.  Which type a text is meant to be is never guessed."
  (let* ((choices (cl-loop for one across (plist-get field :types)
                           for i from 1
                           collect (cons (plist-get one :label) i)))
         (parley--type (parley--choose
                        (parley--prompt nil field (car (rassoc (plist-get value :type) choices)))
                        (parley--with-leave field choices)
                        (car (rassoc (plist-get value :type) choices)))))
    (when parley--type
      (let ((one (plist-put (copy-sequence (aref (plist-get field :types) (1- parley--type)))
                            :label (plist-get field :label))))
        (parley--typed
         (if (and (equal (plist-get one :kind) "choice") (length= (plist-get one :options) 1))
             (list :chosen [0]) ; nothing more is to be chosen
           (parley--read-field form index one
                               (when (eql parley--type (plist-get value :type))
                                 (cl-loop for (key of) on value by #'cddr
                                          unless (eq key :type) append (list key of))))))))))

(defun parley--read-field (form index field value)
  "Read a value for FIELD, the one INDEX of FORM, beginning with VALUE."
  (pcase (plist-get field :kind)
    ("union" (parley--read-union form index field value))
    ("list" (parley--read-list form index field value))
    ("choices" (parley--read-choices form index field value))
    ((or "boolean" "choice") (parley--read-choice field value))
    (_ (parley--read-text form index field value))))

(defun parley--words (field value)
  "VALUE of FIELD in words, on one line."
  (let ((one (parley--picked field value))
        (text (plist-get value :text))
        (chosen (plist-get value :chosen)))
    (cond ((and text (equal (plist-get one :kind) "list")) (string-join (parley--lines value) ", "))
          (text (replace-regexp-in-string "\n" "⏎" text))
          ((> (length chosen) 0) (mapconcat (lambda (i) (aref (plist-get one :options) i)) chosen ", "))
          (t (plist-get field :nothing)))))

(provide 'parley-field)
;;; parley-field.el ends here
